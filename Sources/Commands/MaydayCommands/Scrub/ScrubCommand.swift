import Arguments

/// `mayday scrub`
struct ScrubCommand: Command {
  static let name = "scrub"
  static let summary = "Show and test what is scrubbed from reports before they are stored."
  static var subcommands: [any Command.Type] {
    [ScrubShowCommand.self, ScrubCheckCommand.self, ScrubPreviewCommand.self]
  }
  static var defaultSubcommand: (any Command.Type)? { ScrubShowCommand.self }
  static let examples = [
    Example("mayday scrub preview app.log", "What would be scrubbed from a file.")
  ]

  func run() throws {}
}
