import Archives
import Arguments
import CrashStore
import Glibc
import HomeArchive

/// `mayday backup`
struct BackupCommand: Command {
  static let name = "backup"
  static let summary = "Write the whole home to one file."
  static let discussion = """
    The file holds everything but what can be made again: apps, reports and their submissions, groups \
    with their states and histories, releases, counters, debug files, the ledger; the rules of \
    scrubbing, tokens (as hashes) and the audit log; what a server accepted and has not filed yet, or \
    set aside. It is of one moment, while other processes go on, and appears under its name when it is \
    whole and on the disk.

    The format is documented: tar, compressed with zstd, of JSON lines and of contents under their \
    SHA-256.
    """
  static let examples = [
    Example("mayday backup /backup/monday.tar.zst --force", "A backup a day, for a week."),
    Example("mayday backup - | ssh backup 'cat > mayday.tar.zst'", "To another machine."),
  ]

  @Argument("FILE", help: "Where to write; - is standard output.") var file: String
  @Flag("--force", help: "Replace a file that is there.") var isForced
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
