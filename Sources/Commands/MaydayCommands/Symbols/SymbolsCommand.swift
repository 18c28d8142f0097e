import Arguments
import OfflineCommands

/// `mayday symbols`
struct SymbolsCommand: Command {
  static let name = "symbols"
  static let summary = "Store, list, check and remove debug files."
  static var subcommands: [any Command.Type] {
    [
      SymbolsAddCommand.self, SymbolsListCommand.self, SymbolsShowCommand.self,
      SymbolsMissingCommand.self, SymbolsCheckCommand.self, SymbolsRetryCommand.self,
      SymbolsRemoveCommand.self, SymbolsGCCommand.self, SymbolsCompileCommand.self,
      SymbolsIndexCommand.self,
      SymbolsVerifyCommand.self, SymbolsUnwindCommand.self, SymbolsSharingCommand.self,
    ]
  }
  static var defaultSubcommand: (any Command.Type)? { SymbolsListCommand.self }
  static let examples = [
    Example("mayday symbols add build/ App.dSYM.zip", "Add the debug files of a build.")
  ]

  func run() {}
}
