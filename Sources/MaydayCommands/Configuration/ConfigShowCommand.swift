import Arguments
import JSON

/// `mayday config show`
struct ConfigShowCommand: Command {
  static let name = "show"
  static let summary = "Show what holds, and where it comes from."
  static let discussion = """
    Without a command, what the environment and the configuration file say; with one, everything that \
    holds for it. Options of the command line count before all of this.
    """
  static let examples = [
    Example("mayday config", "What the environment and the file say."),
    Example("mayday config show groups", "What holds for one command, defaults included."),
    Example("mayday config show --json | jq '.file'", "Which file counts."),
  ]
  static let ignoresSettings = true

  @Argument("COMMAND", help: "The command whose options to show.", isRequired: false)
  var words: [String]
  @OptionGroup var general = GeneralOptions()
  @OptionGroup var output = OutputOptions()

  func run() throws {
    let commands = try MaydayProgram.configurableCommands(named: words)
    let file = try ConfigurationFile(named: general.config)
    try MaydayProgram.program.check(file.settings)
    let list = EffectiveSettings(
      commands: commands, file: file, place: ConfigurationFile.place(named: general.config)?.path,
      environment: MaydayProgram.environment, isComplete: !words.isEmpty)
    let console = output.console
    if output.json {
      var writer = JSONWriter(pretty: true)
      list.write(to: &writer)
      writer.newLine()
      try console.write(writer.takeBytes())
    } else {
      try console.write(lines: list.lines(width: console.width, styles: console.styles))
    }
  }
}
