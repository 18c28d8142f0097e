/// The outcome of the files and archive members that were looked at. Each counts once.
public struct FileCounts: Equatable, Sendable {
  /// Their reports are new.
  public var withReports = 0
  /// Their bytes are those of another file, or of one that was ingested before.
  public var duplicates = 0
  /// They belong to reports.
  public var attachments = 0
  public var debugFiles = 0
  /// Something else altogether.
  public var notReports = 0
  /// They could not be read.
  public var unreadable = 0
  /// How many of all came out of archives.
  public var inArchives = 0

  public init() {}

  public var total: Int {
    withReports + duplicates + attachments + debugFiles + notReports + unreadable
  }

  mutating func count(_ kind: RefusedFile.Kind) {
    switch kind {
    case .debugFile: debugFiles += 1
    case .foreign: notReports += 1
    case .unreadable: unreadable += 1
    }
  }

  public static func += (sum: inout FileCounts, counts: FileCounts) {
    sum.withReports += counts.withReports
    sum.duplicates += counts.duplicates
    sum.attachments += counts.attachments
    sum.debugFiles += counts.debugFiles
    sum.notReports += counts.notReports
    sum.unreadable += counts.unreadable
    sum.inArchives += counts.inArchives
  }
}
