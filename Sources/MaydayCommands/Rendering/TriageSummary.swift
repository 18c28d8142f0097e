import CrashModel

/// What a triage found, as it is shown.
struct TriageSummary: Sendable {
  struct Group: Sendable {
    var summary: GroupSummary
    /// Newest first.
    var reports: [Report]
  }

  struct Report: Sendable {
    var id: String
    /// Where the report was found.
    var file: String
    var report: CrashReport
  }

  /// A file that is no report, or could not be read.
  struct Refusal: Sendable {
    var file: String
    var reason: String
  }

  /// An image that frames lie in and that has no symbols.
  struct Unexplained: Sendable {
    var image: LoadedImage
    /// How many reports have frames in it.
    var reports: Int
  }

  /// The most frequent first.
  var groups: [Group] = []
  var refusals: [Refusal] = []
  /// Debug files that could not be used.
  var refusedSymbols: [Refusal] = []
  /// Those that would explain most reports first.
  var unexplained: [Unexplained] = []
  /// How many files were looked at.
  var files = 0

  var reports: Int { groups.reduce(0) { $0 + $1.summary.reports } }
}

extension TriageSummary.Group {
  /// The report that stands for the group.
  var exemplar: TriageSummary.Report? {
    reports.first { $0.id == summary.exemplar } ?? reports.first
  }

  /// Where in the app's own code the group's reports crashed: `src/Renderer.cpp:88:12`.
  var place: String? {
    guard let report = exemplar?.report, let index = report.crashedThread,
      report.threads.indices.contains(index)
    else { return nil }
    let frames = report.threads[index].frames
    let own = frames.first { $0.inApp == true && $0.file != nil } ?? frames.first { $0.file != nil }
    return own.flatMap { FrameText($0, in: report).place }
  }
}
