import Arguments
import CrashService
import CrashStore
import Terminal

/// `mayday remote-config rollback`
struct RemoteConfigRollbackCommand: Command {
  static let name = "rollback"
  static let summary = "Serve a former document again, exactly as it was."
  static let examples = [
    Example("mayday remote-config rollback Tern", "The one before."),
    Example("mayday remote-config rollback Tern 3", "The one that was number 3."),
  ]

  @Argument("APP", help: "The app.") var app: String
  @Argument("NUMBER", help: "A number of the history; by default the one before.") var number: Int?
  @OptionGroup var options = RemoteConfigChangeOptions()

  func run() throws {
    try options.print(options.home.service().rollBack(to: number, options.change(of: app)))
  }
}
