import APIDocuments
import Arguments
import CommandSupport
import CrashService
import CrashStore
import Documents
import Rendering
import Terminal

/// `mayday symbols list`
struct SymbolsListCommand: Command {
  static let name = "list"
  static let summary = "List stored debug files."
  static let examples = [
    Example("mayday symbols list", "All, in the order they were added."),
    Example("mayday symbols list --json | jq '.[].debug_id'", "Only the debug ids."),
  ]

  @OptionGroup var home = ServiceOptions()
  @OptionGroup var output = ListOptions()

  func run() throws {
    let files = try home.service().debugFiles()
    guard try output.printedJSON(files, { $0.write($1) }) == false else { return }
    let console = output.console
    if files.isEmpty { return console.say("No debug files.") }
    try console.write(
      lines: DebugFileList(files: files).lines(width: console.width, styles: console.styles))
  }
}
