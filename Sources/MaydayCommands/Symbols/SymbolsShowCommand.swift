import Arguments
import CrashModel
import CrashStore

/// `mayday symbols show`
struct SymbolsShowCommand: Command {
  static let name = "show"
  static let summary = "Show the debug files of a debug id or a build id."
  static let examples = [
    Example(
      "mayday symbols show 5a2c9be2-0f6b-3d0e-9b0b-7a1fd6e1c001", "By the id that reports name.")
  ]

  @Argument("DEBUG-ID", help: "A debug id, a build id or a UUID, in any spelling.") var id: String
  @OptionGroup var home = HomeOptions()
  @OptionGroup var output = ListOptions()

  func run() throws {
    let store = try home.openForReading()
    var files: [DebugFileRecord] = []
    if let store {
      if let debugID = DebugID(id) ?? DebugID(breakpad: id) {
        files = try store.debugFiles(for: debugID)
      }
      if files.isEmpty, let codeID = CodeID(id) { files = try store.debugFiles(for: codeID) }
    }
    guard let store, !files.isEmpty else { throw StoreError.notFound(id) }
    let shown = files.map { ($0, StoredUnwindRules.rules(of: $0, in: store)) }
    guard try output.printedJSON(shown, { $0.write($1.0, unwind: $1.1) }) == false else { return }
    let console = output.console
    for (index, (file, rules)) in shown.enumerated() {
      if index > 0 { try console.write("\n") }
      try console.write(
        lines: DebugFileList.details(of: file, unwind: rules, styles: console.styles))
    }
  }
}
