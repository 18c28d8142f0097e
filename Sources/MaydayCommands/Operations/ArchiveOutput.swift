import Terminal
import APIDocuments
import Documents
import Rendering
import CrashStore
import Glibc
import HomeArchive

/// Where an archive goes.
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
      throw CommandFailure("an archive is nothing for a terminal: name a file", .wrongUsage)
    }
    return try writer.write(store, toDescriptor: STDOUT_FILENO, named: "standard output") {
      bar.update($0, of: $1)
    }
  }

  /// `211 reports, 8 debug files, 3 waiting submissions`
  static func words(_ counts: HomeArchiveCounts) -> String {
    let count = GroupText.count
    return count(counts.reports, "report", "reports") + ", "
      + count(counts.debugFiles, "debug file", "debug files")
      + (counts.queued == 0
        ? ""
        : ", " + count(counts.queued, "waiting submission", "waiting submissions"))
  }
}
