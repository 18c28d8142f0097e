internal import Batches
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
  /// Where exemplars and reports are read from when they are asked for.
  var records: GroupRecords?

  public init(
    groups: [TriageGroup] = [], refused: [RefusedFile] = [], files: FileCounts = FileCounts(),
    reports: Int = 0, missing: [MissingSymbols] = []
  ) {
    self.groups = groups
    self.refused = refused
    self.files = files
    self.reports = reports
    self.missing = missing
  }

  /// - Throws: The first error while exemplars and reports were read: what was made of them is incomplete then.
  public func check() throws { try records?.check() }

  /// Ends an output of the groups that its reader has left. ``check()`` throws `error` from now on.
  public func stop(with error: any Error) { records?.note(error) }
}

/// A group with its exemplar and a line for each of its reports.
public struct TriageGroup: Sendable {
  public var summary: GroupSummary
  public var reports: TriageReports
  /// The grouping keys of its reports, in order.
  public var keys: [String] = []
  /// Keys by which its reports may be read as well, in order: a group that has one of them is this group.
  public var alternativeKeys: [String] = []
  /// Whether the baseline of the triage lacks it; `nil` without a baseline.
  public var isNew: Bool?
  private let representative: Representative

  private enum Representative: Sendable {
    case report(CrashReport)
    case record(RecordPlace, GroupRecords)
  }

  /// The report that represents the group, read when it is asked for.
  public var exemplar: CrashReport {
    switch representative {
    case .report(let report): report
    case .record(let place, let records): records.exemplar(at: place)
    }
  }

  public init(
    summary: GroupSummary, exemplar: CrashReport, reports: [TriageReport], keys: [String] = [],
    alternativeKeys: [String] = [], isNew: Bool? = nil
  ) {
    self.summary = summary
    self.reports = TriageReports(reports)
    self.keys = keys
    self.alternativeKeys = alternativeKeys
    self.isNew = isNew
    representative = .report(exemplar)
  }

  init(_ contents: GroupContents, id: String, of records: GroupRecords) {
    summary = contents.summary
    summary.id = id
    reports = TriageReports(contents.runs, count: summary.reports, of: records)
    keys = contents.keys.sorted()
    alternativeKeys = contents.alternativeKeys.sorted()
    representative = .record(contents.exemplarPlace, records)
  }
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
