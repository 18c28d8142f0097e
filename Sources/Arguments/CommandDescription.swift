/// Everything that a command declares, as data: what help, and anything like it, is printed from.
public struct CommandDescription: Hashable, Sendable {
  /// The words that call it: `mayday symbols add`.
  public let path: [String]
  public let summary: String
  public let discussion: String
  public let examples: [Example]
  /// In the order of their declaration.
  public let parameters: [Parameter]
  public let subcommands: [CommandDescription]
  public let isHidden: Bool
  /// What the environment variables of its options begin with: `MAYDAY`.
  public let environmentPrefix: String

  /// - Parameter parent: The words before the command's own.
  init(of command: any Command.Type, parent: [String] = [], environmentPrefix: String) {
    let path = parent + [command.name]
    self.path = path
    summary = command.summary
    discussion = command.discussion
    examples = command.examples
    parameters = declarations(of: command.init()).map(\.parameter)
    subcommands = command.subcommands.map {
      CommandDescription(of: $0, parent: path, environmentPrefix: environmentPrefix)
    }
    isHidden = command.isHidden
    self.environmentPrefix = environmentPrefix
  }

  public var name: String { path.last ?? "" }
  public var options: [Parameter] { parameters.filter { $0.kind != .argument } }
  public var arguments: [Parameter] { parameters.filter { $0.kind == .argument } }

  /// `mayday lookup [options] [ADDRESS...]`
  public var usage: String {
    var words = path
    if !subcommands.isEmpty { words.append("COMMAND") }
    if !options.isEmpty { words.append("[options]") }
    words += arguments.map { argument in
      let name = argument.termInUsage
      return argument.isRequired ? name : "[\(name)]"
    }
    return words.joined(separator: " ")
  }
}
