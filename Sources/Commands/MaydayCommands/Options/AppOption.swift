import Arguments
import CrashService
import CrashStore

/// The app that a command applies to.
struct AppOption {
  @Option("-a", "--app", help: "The app; optional if there is only one.", value: "NAME") var app:
    String?

  /// - Throws: ``UsageError`` if none was named and there is none, or more than one.
  func name(in service: any CrashService) throws -> String {
    if let app { return app }
    let apps = try service.apps().map(\.name)
    guard let only = apps.first, apps.count == 1 else {
      throw UsageError(
        apps.isEmpty
          ? "--app is missing: there is no app yet"
          : "--app is missing: the apps are \(apps.joined(separator: ", "))")
    }
    return only
  }
}
