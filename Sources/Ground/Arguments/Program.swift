internal import Spelling

/// A program made of commands: finds the command that a command line names and fills in its
/// options.
///
/// Every command accepts the options that the root command declares, before the command's name as
/// well as after it.
public struct Program: Sendable {
  /// The request of a command line.
  public enum Request {
    case run(Call)
    case help(CommandDescription)
    case topic(HelpTopic)
    case version
  }

  /// The request of a command line, with every option filled in.
  public enum Invocation {
    case run(any Command)
    case help(CommandDescription)
    case topic(HelpTopic)
    case version
  }

  let root: any Command.Type
  /// The topics of `help` other than commands.
  let topics: [HelpTopic]
  /// Names that users try because other programs have them, with their equivalents here.
  let synonyms: [String: String]
  let environmentPrefix: String

  /// - Parameter synonyms: Names that are not commands here, with the command to use instead.
  public init(
    _ root: any Command.Type, topics: [HelpTopic] = [], synonyms: [String: String] = [:]
  ) {
    self.root = root
    self.topics = topics
    self.synonyms = synonyms
    environmentPrefix = root.name.uppercased()
  }

  /// The declarations of all of the program's commands.
  public var description: CommandDescription {
    CommandDescription(of: root, topics: topics, environmentPrefix: environmentPrefix)
  }

  /// Reads a command line and fills in the options that it names.
  ///
  /// - Parameter arguments: The arguments after the program's name.
  /// - Throws: ``UsageError`` that names the wrong argument.
  public func read(_ arguments: [String]) throws(UsageError) -> Request {
    let general = root.init()
    let generalOptions = declarations(of: general)
    var before = CommandLineParser(options: generalOptions, arguments: [])
    var command = root
    var parent: [String] = []
    var rest = arguments[...]
    while !command.subcommands.isEmpty {
      guard let word = rest.first else {
        guard let fallback = command.defaultSubcommand else { break }
        parent.append(command.name)
        command = fallback
        continue
      }
      switch word {
      case "--help", "-h": return .help(describe(command, parent))
      case "--version" where parent.isEmpty: return .version
      case "help" where parent.isEmpty: return try help(for: Array(rest.dropFirst()))
      default: break
      }
      if parent.isEmpty, try takesGeneralOption(&before, &rest) { continue }
      if let next = command.subcommands.first(where: { $0.name == word }) {
        rest.removeFirst()
        parent.append(command.name)
        command = next
      } else if let fallback = command.defaultSubcommand,
        word.hasPrefix("-") || takesWords(fallback)
      {
        parent.append(command.name)
        command = fallback
      } else {
        throw unknownCommand(word, in: describe(command, parent))
      }
    }
    let instance = command.init()
    let own = declarations(of: instance)
    var parser = CommandLineParser(
      options: own.filter { $0.parameter.kind != .argument }
        + Self.missing(generalOptions, in: own),
      arguments: own.filter { $0.parameter.kind == .argument })
    let call: (CommandLineParser) -> Call = { parser in
      Call(
        command: instance, general: general,
        path: parent.isEmpty ? [] : Array((parent + [command.name]).dropFirst()),
        description: { describe(command, parent) }, parser: parser, prefix: environmentPrefix)
    }
    do {
      parser.take(before)
      guard try parser.read(rest) else { return .help(describe(command, parent)) }
    } catch {
      throw error.calling(describe(command, parent))
    }
    return .run(call(parser))
  }

  /// Whether a command line that names no subcommand means `command` with any word: without one the command
  /// could not be called.
  private func takesWords(_ command: any Command.Type) -> Bool {
    declarations(of: command.init()).contains {
      $0.parameter.kind == .argument && $0.parameter.isRequired
    }
  }

  private func takesGeneralOption(
    _ parser: inout CommandLineParser, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> Bool {
    do {
      return try parser.acceptsOption(&rest)
    } catch {
      throw error.calling(description)
    }
  }

  /// Reads a command line and fills in every option.
  ///
  /// - Parameters:
  ///   - arguments: The arguments after the program's name.
  ///   - environment: The environment variables to use.
  ///   - settings: The settings used where neither gives a value.
  /// - Throws: ``UsageError`` that names the wrong argument.
  public func parse(
    _ arguments: [String], environment: [String: String] = [:], settings: Settings = Settings()
  ) throws(UsageError) -> Invocation {
    switch try read(arguments) {
    case .run(let call): .run(try call.finish(environment: environment, settings: settings))
    case .help(let description): .help(description)
    case .topic(let topic): .topic(topic)
    case .version: .version
    }
  }

  /// The options of a command, including those that every command accepts.
  func options(of command: any Command.Type) -> [any Declaration] {
    let own = declarations(of: command.init()).filter { $0.parameter.kind != .argument }
    return command == root ? own : own + Self.missing(declarations(of: root.init()), in: own)
  }

  /// The options that every command accepts, except those that the command declares itself.
  private static func missing(
    _ general: [any Declaration], in own: [any Declaration]
  ) -> [any Declaration] {
    general.filter { declaration in
      !own.contains { $0.parameter.names == declaration.parameter.names }
    }
  }

  private func describe(_ command: any Command.Type, _ parent: [String]) -> CommandDescription {
    CommandDescription(
      of: command, parent: parent,
      shared: parent.isEmpty ? [] : declarations(of: root.init()).map(\.parameter),
      topics: parent.isEmpty ? topics : [], environmentPrefix: environmentPrefix)
  }

  private func help(for words: [String]) throws(UsageError) -> Request {
    var description = self.description
    for word in words {
      if description.path.count == 1, words.count == 1,
        let topic = topics.first(where: { $0.name == word })
      {
        return .topic(topic)
      }
      guard let next = description.subcommands.first(where: { $0.name == word }) else {
        throw unknownCommand(word, in: description)
      }
      description = next
    }
    return .help(description)
  }

  private func unknownCommand(_ word: String, in description: CommandDescription) -> UsageError {
    let called = description.path.dropFirst().joined(separator: " ")
    let parent = called.isEmpty ? "" : " of '\(called)'"
    guard !word.hasPrefix("-") else {
      return UsageError("unknown option \(word)\(parent); options follow the command's name")
        .calling(description)
    }
    let topics = description.topics.map(\.name)
    let names = description.subcommands.filter { !$0.isHidden }.map(\.name)
    let near = Suggestion.nearest(to: word, among: names + topics)
    let synonym = called.isEmpty ? synonyms[word.lowercased()] : nil
    let hint = synonym ?? near.map { topics.contains($0) ? "help " + $0 : $0 }
    let question = hint.map { "; did you mean '\($0)'?" } ?? ""
    return UsageError("unknown command '\(word)'\(parent)\(question)").calling(description)
  }
}
