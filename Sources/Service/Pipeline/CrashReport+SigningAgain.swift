internal import CrashModel

extension CrashReport {
  /// Formats whose readers, or debug files, say of frames whose code they are. Their documents do not
  /// distinguish that from what the rules said.
  private static let markedFormats: Set<ReportFormat> = [
    "sentry-event", "sdk-event", "metrickit", "ruby", "php", "java-hs-err", "language-trace",
    "javascript", "node-report", "java-trace", "dart", "perl", "python-traceback", "go-panic",
    "rust-panic", "dotnet", "mono-crash", "unity", "unreal", "collection", "appcenter",
  ].reduce(into: []) { $0.insert(ReportFormat($1)) }

  /// Whether the stored document alone gives the signature that the submission would.
  var isEnoughToSign: Bool {
    !Self.markedFormats.contains(format) && memory == nil && !images.contains(where: \.isManaged)
  }

  /// The report as it was before rules said whose code its frames are.
  func withoutMarks() -> CrashReport {
    func cleared(_ frames: inout [Frame]) {
      for index in frames.indices { frames[index].inApp = nil }
    }
    func cleared(_ exception: inout LanguageException, depth: Int) {
      cleared(&exception.frames)
      // As deep as exceptions are marked.
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
