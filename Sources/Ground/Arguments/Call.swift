/// A command that a command line calls, with the options that it names; the others are still to be
/// filled in from the environment and the settings.
public struct Call {
  /// The command, of which only the options that the command line names hold what they will hold.
  let command: any Command
  /// The root command with the options that every command knows, as the command line gives them.
  public let general: any Command
  /// The words that call the command after the program's name.
  let path: [String]
  let description: () -> CommandDescription
  let parser: CommandLineParser
  /// The prefix of the environment variables.
  let prefix: String

  /// Whether the command runs whatever a configuration file says.
  public var ignoresSettings: Bool { type(of: command).ignoresSettings }

  /// Fills in what the command line leaves out.
  ///
  /// An option is taken from its environment variable, in a list with `:` between the values, else
  /// from the settings; a flag is on unless its variable says `0`, `no`, `false`, `off` or nothing.
  ///
  /// - Throws: ``UsageError`` that names the problem and its source.
  public func finish(
    environment: [String: String], settings: Settings
  ) throws(UsageError) -> any Command {
    do {
      try parser.acceptFallbacks { parameter in
        Fallback(
          for: parameter, of: path, prefix: prefix, environment: environment, settings: settings)
      }
      try parser.acceptArguments()
      try command.validate()
      return command
    } catch {
      throw error.usage == nil ? error.calling(description()) : error
    }
  }
}
