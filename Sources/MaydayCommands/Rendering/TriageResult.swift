import CrashModel

/// What a triage found.
struct TriageResult: Sendable {
  /// The groups, those with the most reports first.
  var groups: [TriageGroup] = []
  /// Files that are no report, with the reason, in the order in which they were met.
  var refused: [RefusedFile] = []
  /// How many files and archive members were looked at.
  var files = 0
  /// How many reports were found in them.
  var reports = 0
  /// How many submissions had the same bytes as an earlier one and were not counted again.
  var duplicates = 0
  /// Images whose symbols are missing, with the number of reports that wait for them, the most
  /// wanted first.
  var missing: [MissingSymbols] = []
}

/// A group with the report that stands for it and a line for each of its reports.
struct TriageGroup: Sendable {
  var summary: GroupSummary
  var exemplar: CrashReport
  var reports: [TriageReport]
}

/// One report of a group.
struct TriageReport: Sendable {
  var id: String
  /// The file it came in; for a member of an archive, both names.
  var source: String
  var format: ReportFormat
  var time: Timestamp?
  /// Version and build of the app; empty where the report names none.
  var version: String
  var os: OperatingSystem
  var signature: String
}

/// A file that is no report.
struct RefusedFile: Sendable {
  var source: String
  var reason: String
}

/// An image whose debug file nobody has.
struct MissingSymbols: Sendable {
  var name: String
  var debugID: DebugID?
  var codeID: CodeID?
  var architecture: Architecture?
  /// How many reports have a frame in it.
  var reports: Int
}
