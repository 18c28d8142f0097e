internal import CrashModel

extension CrashReport {
  /// Formats whose parsers or debug files mark frames as the app's own. Their documents do not distinguish
  /// these marks from those made by rules.
  private static let markedFormats: Set<ReportFormat> = [
    "sentry-event", "sdk-event", "metrickit", "ruby", "php", "java-hs-err", "language-trace",
    "javascript", "node-report", "java-trace", "dart", "perl", "python-traceback", "go-panic",
    "rust-panic", "dotnet", "mono-crash", "unity", "unreal", "collection", "appcenter",
  ].reduce(into: []) { $0.insert(ReportFormat($1)) }

  /// Whether the stored document alone gives the same signature as the submission.
  var isEnoughToSign: Bool {
    !Self.markedFormats.contains(format) && memory == nil && !images.contains(where: \.isManaged)
  }

  /// Returns the report without the marks that rules made on its frames.
  func withoutMarks() -> CrashReport {
    func cleared(_ frames: inout [Frame]) {
      for index in frames.indices { frames[index].inApp = nil }
    }
    func cleared(_ exception: inout LanguageException, depth: Int) {
      cleared(&exception.frames)
      // The depth to which exceptions are marked.
      guard depth < 24 else { return }
      for index in exception.inner.indices { cleared(&exception.inner[index], depth: depth + 1) }
    }
    var report = self
    for index in report.threads.indices { cleared(&report.threads[index].frames) }
    for index in report.otherStacks.indices { cleared(&report.otherStacks[index].frames) }
    if var exception = report.reason.exception {
      cleared(&exception, depth: 0)
      report.reason.exception = exception
    }
    return report
  }
}
