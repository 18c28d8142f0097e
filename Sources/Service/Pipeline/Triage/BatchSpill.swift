internal import Batches
internal import CrashModel
internal import Files

/// When the facts of a triage are put into unnamed files, and where.
public struct BatchSpill: Sendable {
  /// The approximate bytes of memory that they take before that.
  var bytes = 64 << 20
  /// The folder of the files: `$TMPDIR`.
  public var folder = Folder.temporary

  public init() {}

  // The sizes are those of 64-bit machines, measured; texts of more than 15 bytes are on the heap.

  static func size(of file: FileFact) -> Int {
    file.refusals.reduce(160 + file.path.utf8.count + 96 * file.digests.count) {
      $0 + 80 + $1.reason.utf8.count
    }
  }

  static func size(of report: ReportFact) -> Int {
    480 + report.path.utf8.count + report.title.utf8.count + 8 * report.images.count
  }

  /// The size of a report that represents others.
  static func size(of report: CrashReport) -> Int {
    let frames = report.threads.reduce(0) { $0 + $1.frames.count }
    return 4_096 + 400 * frames + 240 * report.images.count
      + report.threads.reduce(0) { $0 + 64 * $1.registers.count }
  }
}
