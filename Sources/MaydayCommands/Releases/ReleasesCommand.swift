import Arguments

/// `mayday releases`
struct ReleasesCommand: Command {
  static let name = "releases"
  static let summary = "See the releases of apps, and put them in order."
  static let discussion = """
    A release is a version and a build. It is there as soon as a report names it, or it is added. The \
    order says which of two came first, and so whether a report shows that a resolved group is back.

    Unless somebody sets it, it follows from the numbers: by version, then by build.
    """
  static var subcommands: [any Command.Type] {
    [
      ReleasesListCommand.self, ReleasesOrderCommand.self, ReleasesAddCommand.self,
      ReleasesRemoveCommand.self,
    ]
  }
  static var defaultSubcommand: (any Command.Type)? { ReleasesListCommand.self }
  static let examples = [
    Example("mayday releases list", "All releases, oldest first."),
    Example("mayday releases order Tern 1.4.9 2.0-beta 1.5.0", "A beta that came in between."),
  ]

  func run() {}
}
