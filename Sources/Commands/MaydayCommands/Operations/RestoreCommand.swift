import Arguments
import Bytes
import CommandSupport
import CrashStore
import HomeArchive
import Terminal

/// `mayday restore`
struct RestoreCommand: SandboxedCommand {
  static let name = "restore"
  static let summary = "Restore a home from a backup."
  static let discussion = """
    Every digest and every value is checked. The home appears only when it is complete; until \
    then, and after any error, nothing changes. A home that is not empty is refused; --force \
    moves it to another name and deletes nothing.
    """
  static let examples = [
    Example("mayday restore mayday.tar.zst --home /srv/mayday", "Restore to a new home."),
    Example("mayday restore mayday.tar.zst --home /tmp/check", "Test a backup."),
  ]

  @Argument("FILE", help: "A file written by `mayday backup`.") var file: String
  @Flag("--force", help: "Move an existing home out of the way.") var isForced
  @OptionGroup var home = HomeOptions()
  @OptionGroup var sandbox = SandboxOptions()
  @OptionGroup var output = MessageOptions()

  func run() throws {
    let folder = try home.folder()
    let console = output.console
    let bar = ProgressBar("Restoring", isOn: console.isErrorTerminal)
    defer { bar.finish() }
    let (counts, faults, former) = try HomeArchiveReader(file)
      .restore(
        to: folder, isForced: isForced, progress: { bar.update($0, of: $1) },
        adding: HomeFiles.add)
    bar.finish()
    if let former { console.say("The former home is \(former.printable) now.") }
    console.say("Restored \(ArchiveOutput.words(counts)).")
    if !faults.isEmpty {
      console.warn(
        "sums did not agree when this was backed up; `mayday stats --ledger` shows which")
    }
  }
}
