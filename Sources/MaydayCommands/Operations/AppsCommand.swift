import Arguments

/// `mayday apps`
struct AppsCommand: Command {
  static let name = "apps"
  static let summary = "List the apps, and say how long their reports are kept."
  static var subcommands: [any Command.Type] { [AppsListCommand.self, AppsSetCommand.self] }
  static let examples = [
    Example("mayday apps set Tern --keep-days 90", "Let `mayday gc` take what is older.")
  ]

  func validate() throws(UsageError) { throw UsageError("COMMAND is missing: list or set") }

  func run() {}
}
