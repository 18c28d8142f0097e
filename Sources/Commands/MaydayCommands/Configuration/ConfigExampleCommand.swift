import Terminal
import Arguments

/// `mayday config example`
struct ConfigExampleCommand: Command {
  static let name = "example"
  static let summary = "Print a configuration file with every option in a comment."
  static let examples = [
    Example("mayday config example", "All sections."),
    Example("mayday config example groups", "One command."),
    Example("mayday config example > ~/.config/mayday/mayday.conf", "A file to start from."),
  ]
  static let ignoresSettings = true

  @Argument(
    "COMMAND", help: "The command whose options to print; by default all.", isRequired: false)
  var words: [String]

  func run() throws {
    let descriptions = try MaydayProgram.configurableCommands(named: words)
    try Console(colour: .never).write(ConfigExample(commands: descriptions).text)
  }
}
