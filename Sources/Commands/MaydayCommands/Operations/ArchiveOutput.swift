import APIDocuments
import CommandSupport
import CrashStore
import Documents
import Glibc
import HomeArchive
import Rendering
import Terminal

/// The destination of an archive.
enum ArchiveOutput {
  /// Writes to a file, or to standard output for `-`.
  static func write(
    _ writer: HomeArchiveWriter, _ store: CrashStore, to file: String, replacing: Bool,
    title: String, _ console: Console
  ) throws -> HomeArchiveCounts {
    let bar = ProgressBar(title, isOn: console.isErrorTerminal)
    defer { bar.finish() }
    bar.update(0, of: nil)
    guard file == "-" else {
      return try writer.write(store, to: file, replacing: replacing) { bar.update($0, of: $1) }
    }
    guard !console.isOutputTerminal else {
      throw CommandFailure("cannot write an archive to a terminal: give a file", .wrongUsage)
    }
    return try writer.write(store, toDescriptor: STDOUT_FILENO, named: "standard output") {
      bar.update($0, of: $1)
    }
  }

  /// `211 reports, 8 debug files, 3 waiting submissions, 1 quarantined submission`
  static func words(_ counts: HomeArchiveCounts) -> String {
    let count = GroupText.count
    return
      ([
        count(counts.reports, "report", "reports"),
        count(counts.debugFiles, "debug file", "debug files"),
      ] + queue(counts.queued, quarantined: counts.quarantined)).joined(separator: ", ")
  }

  /// The waiting and quarantined submissions, as text; empty if there are none.
  ///
  /// - Parameter count: All of them, including the quarantined ones.
  static func queue(_ count: Int, quarantined: Int) -> [String] {
    let waiting = count - quarantined
    return
      (waiting > 0
      ? [GroupText.count(waiting, "waiting submission", "waiting submissions")] : [])
      + (quarantined > 0
        ? [GroupText.count(quarantined, "quarantined submission", "quarantined submissions")] : [])
  }
}
