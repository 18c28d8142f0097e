import Arguments

/// `mayday intake-links`
struct IntakeLinksCommand: Command {
  static let name = "intake-links"
  static let summary = "Let users hand over crash files by a link."
  static let discussion = """
    A link opens a page on which a user, without an account, hands over crash files and their attachments \
    for one app. It expires, may be limited in files, and can be revoked.
    """
  static var subcommands: [any Command.Type] {
    [IntakeLinksAddCommand.self, IntakeLinksListCommand.self, IntakeLinksRevokeCommand.self]
  }
  static var defaultSubcommand: (any Command.Type)? { IntakeLinksListCommand.self }
  static let examples = [
    Example("mayday intake-links add Ann --app Tern", "Print a link for Ann.")
  ]

  func run() {}
}
