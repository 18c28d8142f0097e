/// The outcomes of the files and archive members that were examined. Each counts once.
public struct FileCounts: Equatable, Sendable {
  /// Files with new reports.
  public var withReports = 0
  /// Files with the bytes of another file, or of one ingested before.
  public var duplicates = 0
  /// Files that belong to reports.
  public var attachments = 0
  public var debugFiles = 0
  /// Files of any other kind.
  public var notReports = 0
  /// Files that could not be read.
  public var unreadable = 0
  /// The number of all these that came from archives.
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
