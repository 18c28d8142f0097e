/// A program made of commands: finds the command that a command line calls and fills in its options.
public struct Program: Sendable {
  /// What a command line asks for.
  public enum Invocation {
    case run(any Command)
    case help(CommandDescription)
    case version
  }

  private let root: any Command.Type
  private let environmentPrefix: String

  public init(_ root: any Command.Type) {
    self.root = root
    environmentPrefix = root.name.uppercased()
  }

  /// Everything that the program's commands declare.
  public var description: CommandDescription {
    CommandDescription(of: root, environmentPrefix: environmentPrefix)
  }

  /// Reads a command line.
  ///
  /// An option that the command line does not name is taken from its environment variable, in a
  /// list with `:` between the values; a flag is on unless the variable says `0`, `no`, `false`,
  /// `off` or nothing.
  ///
  /// - Parameters:
  ///   - arguments: The words after the program's name.
  ///   - environment: The environment variables that count.
  /// - Throws: ``UsageError`` that names the word that is wrong.
  public func parse(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws(UsageError) -> Invocation {
    var command = root
    var parent: [String] = []
    var rest = arguments[...]
    while let word = rest.first, !command.subcommands.isEmpty {
      let here = describe(command, parent)
      switch word {
      case "--help", "-h": return .help(here)
      case "--version" where parent.isEmpty: return .version
      case "help" where parent.isEmpty:
        return try .help(descriptionForHelp(of: Array(rest.dropFirst()), in: here))
      default: break
      }
      guard let next = command.subcommands.first(where: { $0.name == word }) else {
        throw Self.unknownCommand(word, in: here)
      }
      parent.append(command.name)
      command = next
      rest.removeFirst()
    }
    let description = describe(command, parent)
    do {
      var parser = CommandLineParser(command.init(), description, environment)
      guard try parser.parse(rest) else { return .help(description) }
      try parser.command.validate()
      return .run(parser.command)
    } catch {
      throw error.usage == nil ? error.calling(description) : error
    }
  }

  private func describe(_ command: any Command.Type, _ parent: [String]) -> CommandDescription {
    CommandDescription(of: command, parent: parent, environmentPrefix: environmentPrefix)
  }

  private func descriptionForHelp(
    of words: [String], in root: CommandDescription
  ) throws(UsageError) -> CommandDescription {
    var description = root
    for word in words {
      guard let next = description.subcommands.first(where: { $0.name == word }) else {
        throw Self.unknownCommand(word, in: description)
      }
      description = next
    }
    return description
  }

  private static func unknownCommand(
    _ word: String, in description: CommandDescription
  ) -> UsageError {
    let names = description.subcommands.filter { !$0.isHidden }.map(\.name)
    let called = description.path.dropFirst().joined(separator: " ")
    let place = called.isEmpty ? "" : " of '\(called)'"
    guard !word.hasPrefix("-") else {
      return UsageError("unknown option \(word)\(place); options follow the command's name")
        .calling(description)
    }
    let hint = suggestion(for: word, among: names).map { "; did you mean '\($0)'?" } ?? ""
    return UsageError("unknown command '\(word)'\(place)\(hint)").calling(description)
  }
}
