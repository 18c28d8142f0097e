/// Everything that a command declares, as data: what help, and anything like it, is printed from.
public struct CommandDescription: Hashable, Sendable {
  /// The words that call it: `mayday symbols add`.
  public let path: [String]
  public let summary: String
  public let discussion: String
  public let examples: [Example]
  /// In the order of their declaration, then the options that every command knows.
  public let parameters: [Parameter]
  public let subcommands: [CommandDescription]
  /// How help arranges them.
  public let sections: [CommandSection]
  /// The name of the one of them that is meant where the command line names none.
  public let defaultSubcommand: String?
  /// The topics that the program's help explains besides commands; empty for any other command.
  public let topics: [HelpTopic]
  public let isHidden: Bool
  /// Whether it runs whatever a configuration file says.
  public let ignoresSettings: Bool
  /// The prefix of its options' environment variables: `MAYDAY`.
  public let environmentPrefix: String

  /// - Parameters:
  ///   - parent: The words before the command's own.
  ///   - shared: The options that every command knows.
  init(
    of command: any Command.Type, parent: [String] = [], shared: [Parameter] = [],
    topics: [HelpTopic] = [], environmentPrefix: String
  ) {
    let path = parent + [command.name]
    self.path = path
    summary = command.summary
    discussion = command.discussion
    examples = command.examples
    let own = declarations(of: command.init()).map(\.parameter)
    // A command that is only a word before others has no options of its own.
    let isRunnable = command.subcommands.isEmpty
    parameters =
      own
      + (isRunnable ? shared.filter { shared in !own.contains { $0.names == shared.names } } : [])
    subcommands = command.subcommands.map {
      CommandDescription(
        of: $0, parent: path, shared: parent.isEmpty ? own : shared,
        environmentPrefix: environmentPrefix)
    }
    sections = command.sections
    defaultSubcommand = command.defaultSubcommand?.name
    self.topics = topics
    isHidden = command.isHidden
    ignoresSettings = command.ignoresSettings
    self.environmentPrefix = environmentPrefix
  }

  public var name: String { path.last ?? "" }
  public var options: [Parameter] { parameters.filter { $0.kind != .argument } }
  public var arguments: [Parameter] { parameters.filter { $0.kind == .argument } }

  /// `mayday lookup [options] [ADDRESS...]`
  public var usage: String {
    var words = path
    if !subcommands.isEmpty { words.append(defaultSubcommand == nil ? "COMMAND" : "[COMMAND]") }
    if !options.isEmpty { words.append("[options]") }
    words += arguments.map { argument in
      let name = argument.termInUsage
      return argument.isRequired ? name : "[\(name)]"
    }
    return words.joined(separator: " ")
  }

  /// The subcommands that help shows, section by section; subcommands without a section come last.
  public var arrangedSubcommands: [(title: String, commands: [CommandDescription])] {
    let visible = subcommands.filter { !$0.isHidden }
    let arranged = sections.map { section in
      (section.title, section.names.compactMap { name in visible.first { $0.name == name } })
    }
    let named = Set(sections.flatMap(\.names))
    let rest = visible.filter { !named.contains($0.name) }
    return (arranged + [(sections.isEmpty ? "Commands" : "Other commands", rest)])
      .filter { !$0.1.isEmpty }
  }
}
