public import CrashModel

/// A report with its signature, and the app that it belongs to.
public struct ProcessedReport: Sendable {
  public let app: String
  public let report: CrashReport

  public init(app: String, report: CrashReport) {
    self.app = app
    self.report = report
  }
}

extension CrashReport {
  /// What to call the app when nobody said: its name, its process, its first image, its identifier.
  public var appName: String {
    for name in [app.name, process.name, images.first?.name, app.identifier] {
      if let name, !name.isEmpty { return name }
    }
    return "unknown"
  }
}
