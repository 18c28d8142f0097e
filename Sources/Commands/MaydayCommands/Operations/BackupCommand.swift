import Archives
import Arguments
import CommandSupport
import CrashStore
import Glibc
import HomeArchive
import Terminal

/// `mayday backup`
struct BackupCommand: Command {
  static let name = "backup"
  static let summary = "Back up the whole home to one file."
  static let discussion = """
    The file contains everything that cannot be regenerated: apps, reports and their submissions, \
    groups with their statuses and histories, releases, counters, debug files, the ledger, \
    scrubbing rules, tokens (as hashes), the audit log, and a server's waiting and quarantined \
    submissions. It is a consistent snapshot while other processes keep working, and gets its name \
    only when it is complete and on disk.

    The documented format is tar, compressed with zstd, of JSON lines and of contents named by \
    their SHA-256.
    """
  static let examples = [
    Example("mayday backup /backup/monday.tar.zst --force", "A backup for each day of the week."),
    Example("mayday backup - | ssh backup 'cat > mayday.tar.zst'", "To another machine."),
  ]

  @Argument("FILE", help: "Output file; - is standard output.") var file: String
  @Flag("--force", help: "Overwrite an existing file.") var isForced
  @OptionGroup var home = HomeOptions()
  @OptionGroup var output = MessageOptions()

  func run() throws {
    let store = try home.openForReading()
    let console = output.console
    let writer = HomeArchiveWriter(
      .everything, engine: "mayday \(MaydayProgram.version)",
      files: try HomeFiles.all(of: store.home), queue: try HomeFiles.queue(of: store.home))
    let counts = try ArchiveOutput.write(
      writer, store, to: file, replacing: isForced, title: "Backing up", console)
    console.say("Backed up \(ArchiveOutput.words(counts)).")
  }
}
