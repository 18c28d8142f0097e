import Arguments

/// `mayday symbols`
struct SymbolsCommand: Command {
  static let name = "symbols"
  static let summary = "Keep debug files, and see what is there."
  static var subcommands: [any Command.Type] {
    [
      SymbolsAddCommand.self, SymbolsListCommand.self, SymbolsShowCommand.self,
      SymbolsMissingCommand.self, SymbolsCheckCommand.self, SymbolsRetryCommand.self,
      SymbolsRemoveCommand.self, SymbolsGCCommand.self, SymbolsCompileCommand.self,
      SymbolsVerifyCommand.self, SymbolsUnwindCommand.self, SymbolsSharingCommand.self,
    ]
  }
  static let examples = [
    Example("mayday symbols add build/ App.dSYM.zip", "File the debug files of a build.")
  ]

  func validate() throws(UsageError) {
    throw UsageError(
      "COMMAND is missing: " + Self.subcommands.map { $0.name }.joined(separator: ", "))
  }

  func run() {}
}
