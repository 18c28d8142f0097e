import Arguments

/// `mayday remote-config`
struct RemoteConfigCommand: Command {
  static let name = "remote-config"
  static let summary = "Announce updates to apps with the RemoteConfiguration library."
  static let discussion = """
    Apps with this library poll a JSON document: it announces updates, and may contain other \
    settings of the app. A server serves it at /config/APP.json, and at /config/APP/VERSION.json with \
    an update for older versions only.

    Only documents that every client can decode are published. The last one is served, byte for byte.
    """
  static var subcommands: [any Command.Type] {
    [
      RemoteConfigShowCommand.self, RemoteConfigCheckCommand.self, RemoteConfigPublishCommand.self,
      RemoteConfigEditCommand.self, RemoteConfigHistoryCommand.self,
      RemoteConfigRollbackCommand.self,
    ]
  }
  static let examples = [
    Example("mayday remote-config check tern.json", "Would every client decode it?"),
    Example("mayday remote-config publish Tern tern.json", "Serve it."),
    Example(
      "mayday remote-config edit Tern --available 1.4.2 --type recommended", "Offer an update."),
  ]

  func run() {}
}
