import Arguments
import Bytes
import CommandSupport
import CrashService
import CrashStore
import JSON
import Rendering
import Terminal

/// `mayday symbols remove`
struct SymbolsRemoveCommand: Command {
  static let name = "remove"
  static let summary = "Remove debug files."
  static let discussion = """
    Stored results do not change. A file that stored reports need is kept unless --force is given: \
    reprocessed, they would lose its functions and lines.
    """
  static let examples = [
    Example("mayday symbols remove 4c4c446b-5555-3144-a142-79c47c75be14", "By debug id."),
    Example("mayday symbols remove 3f2a9c --dry-run", "By the start of the file's digest."),
  ]

  @Argument("ID", help: "Debug ids, build ids, or digest prefixes, as `symbols list` prints them.")
  var ids: [String]
  @Flag("--dry-run", help: "Only print what would be deleted.") var isDry
  @Flag("--force", help: "Also delete files that stored reports need.") var isForced
  @OptionGroup var home = HomeOptions()
  @OptionGroup var output = OutputOptions()

  func run() throws {
    let console = output.console
    let store = try home.openForReading()
    let uses = try store.debugFiles.uses()
    var chosen: [DebugFileUse] = []
    for id in ids {
      let found = try uses.called(id)
      chosen += found.filter { !chosen.contains($0) }
    }
    let needed = isForced ? [] : chosen.filter { $0.reports > 0 }
    let going = chosen.filter { !needed.contains($0) }
    if !isDry && needed.isEmpty { try store.debugFiles.remove(going.map(\.digest)) }
    let removals = going.map { DebugFileRemoval(file: $0, reason: .asked) }
    let list = DebugFileRemovalList(removals: removals, isDry: isDry || !needed.isEmpty)
    if needed.isEmpty { try list.print(console, json: output.json, bytesLeft: nil) }
    guard needed.isEmpty else {
      for file in needed {
        console.say(
          "\(file.name.printable) \(file.digest.prefix(12)) is needed by "
            + GroupText.count(file.reports, "report", "reports"))
      }
      throw CommandFailure(
        "nothing was removed: stored reports need "
          + GroupText.count(needed.count, "of the files", "of the files")
          + "; --force removes them all the same")
    }
  }
}
