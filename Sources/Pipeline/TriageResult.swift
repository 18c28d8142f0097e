public import CrashModel

/// What a triage found.
public struct TriageResult: Sendable {
  /// The groups, those with the most reports first.
  public var groups: [TriageGroup] = []
  /// Files that are no report, with the reason, in the order in which they were met.
  public var refused: [RefusedFile] = []
  /// How many files and archive members were looked at.
  public var files = 0
  /// How many reports were found in them.
  public var reports = 0
  /// How many submissions had the same bytes as an earlier one and were not counted again.
  public var duplicates = 0
  /// Images whose symbols are missing, with the number of reports that wait for them, the most
  /// wanted first.
  public var missing: [MissingSymbols] = []
}

/// A group with the report that stands for it and a line for each of its reports.
public struct TriageGroup: Sendable {
  public var summary: GroupSummary
  public var exemplar: CrashReport
  public var reports: [TriageReport]
}

/// One report of a group.
public struct TriageReport: Sendable {
  public var id: String
  /// The file it came in; for a member of an archive, both names.
  public var source: String
  public var format: ReportFormat
  public var time: Timestamp?
  /// Version and build of the app; empty where the report names none.
  public var version: String
  public var os: OperatingSystem
  public var signature: String
}

/// A file that is no report.
public struct RefusedFile: Sendable {
  public var source: String
  public var reason: String
  /// Whether it is something else altogether, such as a picture or a program, and not a report that
  /// could not be read.
  public var isForeign: Bool

  public init(source: String, reason: String, isForeign: Bool = false) {
    self.source = source
    self.reason = reason
    self.isForeign = isForeign
  }
}

/// An image whose debug file nobody has.
public struct MissingSymbols: Sendable {
  public var name: String
  public var debugID: DebugID?
  public var codeID: CodeID?
  public var architecture: Architecture?
  /// How many reports have a frame in it.
  public var reports: Int
  /// Whether frames of the app's own code lie in it, or of nobody's known, and not of the system's
  /// alone.
  public var isOwn: Bool
}
