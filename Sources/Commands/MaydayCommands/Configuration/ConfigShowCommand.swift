import Arguments
import CommandSupport
import JSON
import Terminal

/// `mayday config show`
struct ConfigShowCommand: Command {
  static let name = "show"
  static let summary = "Show the settings in effect and where each comes from."
  static let discussion = """
    Without a command, shows the settings from the environment and the configuration file; with \
    one, every setting that applies to it. Command-line options override all of these.
    """
  static let examples = [
    Example("mayday config", "Settings from the environment and the file."),
    Example("mayday config show groups", "All settings of one command, including defaults."),
    Example("mayday config show --json | jq '.file'", "Which file is in use."),
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
      commands: commands, file: file,
      searchedPath: ConfigurationFile.path(named: general.config)?.path,
      environment: ProgramEnvironment.variables, isComplete: !words.isEmpty)
    let console = output.console
    if output.json {
      var writer = JSONWriter(pretty: true)
      list.write(to: &writer)
      writer.newLine()
      try console.write(json: writer.takeBytes())
    } else {
      try console.write(lines: list.lines(width: console.width, styles: console.styles))
    }
  }
}
