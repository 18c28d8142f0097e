import Arguments
import Bytes
import Rendering
import Terminal

/// `mayday config check`
struct ConfigCheckCommand: Command {
  static let name = "check"
  static let summary = "Check a configuration file."
  static let discussion = """
    Prints one line per mistake, with its location and a suggestion. Exits with 0 if there is \
    none, otherwise with 2.
    """
  static let examples = [
    Example("mayday config check", "Check the file in use."),
    Example("mayday config check build/mayday.conf", "Check another file before installing it."),
  ]
  static let ignoresSettings = true

  @Argument("FILE", help: "The file to check; by default the one in use.") var file: String?
  @OptionGroup var general = GeneralOptions()

  func run() throws {
    let found = try ConfigurationFile(named: file ?? general.config)
    let console = Console(colour: .auto)
    guard let path = found.path else { return console.say("No configuration file found.") }
    try MaydayProgram.program.check(found.settings)
    console.say(
      "\(path.printable): \(GroupText.count(found.settings.entries.count, "setting", "settings")), all fine"
    )
  }
}
