import Arguments

/// `mayday scrub`
struct ScrubCommand: Command {
  static let name = "scrub"
  static let summary = "See what is taken out of reports before they are kept."
  static var subcommands: [any Command.Type] {
    [ScrubShowCommand.self, ScrubCheckCommand.self, ScrubPreviewCommand.self]
  }
  static var defaultSubcommand: (any Command.Type)? { ScrubShowCommand.self }
  static let examples = [
    Example("mayday scrub preview app.log", "What would be taken out of a file.")
  ]

  func run() throws {}
}
