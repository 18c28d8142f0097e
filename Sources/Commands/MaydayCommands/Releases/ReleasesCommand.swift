import Arguments

/// `mayday releases`
struct ReleasesCommand: Command {
  static let name = "releases"
  static let summary = "Manage the releases of apps: their order, files and audience."
  static let discussion = """
    A release is a version and a build. It exists as soon as a report mentions it or it is added. \
    The order decides whether a report shows that a resolved group has regressed.

    By default releases are ordered by version, then by build.

    A release can have files for testers and users: `mayday testers` manages the testers, and `mayday \
    serve` offers updates to their apps.
    """
  static var subcommands: [any Command.Type] {
    [
      ReleasesListCommand.self, ReleasesShowCommand.self, ReleasesRolloutCommand.self,
      ReleasesExplainCommand.self,
      ReleasesOrderCommand.self,
      ReleasesAddCommand.self, ReleasesFilesCommand.self, ReleasesEditCommand.self,
      ReleasesEnableCommand.self, ReleasesDisableCommand.self, ReleasesRemoveCommand.self,
      ReleasesInspectCommand.self, ReleasesSignCommand.self,
    ]
  }
  static var defaultSubcommand: (any Command.Type)? { ReleasesListCommand.self }
  static let examples = [
    Example("mayday releases list", "All releases, oldest first."),
    Example(
      "mayday releases add tern.ipa --app Tern --groups Beta", "Release a build to testers."),
    Example("mayday releases order Tern 1.4.9 2.0-beta 1.5.0", "A beta between two releases."),
  ]

  func run() {}
}
