import Arguments

/// `mayday import`
struct ImportCommand: Command {
  static let name = "import"
  static let summary = "Import what another home or another system exported."
  static let discussion = """
    `mayday import FILE` is short for `mayday import archive FILE`, or `mayday import batch FILE` for a file of \
    `triage --partial`. Everything is imported into a home of \
    this machine; what was imported before counts nothing twice.
    """
  static var subcommands: [any Command.Type] {
    [
      ImportArchiveCommand.self, ImportAppCenterCommand.self, ImportSentryCommand.self,
      ImportSocorroCommand.self, ImportBatchCommand.self,
    ]
  }
  static var defaultSubcommand: (any Command.Type)? { ImportArchiveCommand.self }
  static let examples = [
    Example("mayday import tern.tar.zst", "A file written by `mayday export`."),
    Example("mayday import appcenter saved/ --app Tern", "What was saved of App Center."),
  ]

  func run() {}
}
