public import CrashModel
public import Identifiers
public import TriageModel

/// The result of a triage.
public struct TriageResult: Sendable {
  /// The groups, those with the most reports first.
  public var groups: [TriageGroup] = []
  /// Files that are not reports, with the reason, in the order in which they were read.
  public var refused: [RefusedFile] = []
  /// The files and archive members that were examined.
  public var files = FileCounts()
  /// The number of reports in them.
  public var reports = 0
  /// Images whose symbols are missing, with the number of reports that wait for them, highest first.
  public var missing: [MissingSymbols] = []
}

/// A group with its exemplar and a line for each of its reports.
public struct TriageGroup: Sendable {
  public var summary: GroupSummary
  public var exemplar: CrashReport
  public var reports: [TriageReport]
  /// The grouping keys of its reports, in order.
  public var keys: [String] = []
  /// Keys by which its reports may be read as well, in order: a group that has one of them is this group.
  public var alternativeKeys: [String] = []
  /// Whether the baseline of the triage lacks it; `nil` without a baseline.
  public var isNew: Bool?
}

/// One report of a group.
public struct TriageReport: Sendable {
  public var id: String
  /// The file it came in; both names for a member of an archive.
  public var source: String
  public var format: ReportFormat
  public var time: Timestamp?
  /// The version and build of the app; empty if the report names none.
  public var version: String
  public var os: OperatingSystem
  public var signature: String
}

/// A file that is not a report.
public struct RefusedFile: Sendable {
  public enum Kind: Sendable {
    /// It may be a report, but cannot be read.
    case unreadable
    /// A program or its debug information.
    case debugFile
    /// A file of any other kind, such as a picture.
    case foreign
  }

  public var source: String
  public var reason: String
  public var kind: Kind

  /// Whether it is something other than an unreadable report.
  public var isForeign: Bool { kind != .unreadable }

  public init(source: String, reason: String, kind: Kind = .unreadable) {
    self.source = source
    self.reason = reason
    self.kind = kind
  }
}

/// An image without a debug file.
public struct MissingSymbols: Sendable {
  public var name: String
  public var debugID: DebugID?
  public var codeID: CodeID?
  public var architecture: Architecture?
  /// The number of reports with a frame in it.
  public var reports: Int
  /// Whether it contains frames of the app's own code, or of unknown code, and not only of the system's.
  public var isOwn: Bool

  public init(
    name: String, debugID: DebugID?, codeID: CodeID?, architecture: Architecture?, reports: Int,
    isOwn: Bool
  ) {
    self.name = name
    self.debugID = debugID
    self.codeID = codeID
    self.architecture = architecture
    self.reports = reports
    self.isOwn = isOwn
  }
}
