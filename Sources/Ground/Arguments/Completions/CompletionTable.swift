/// The facts about a program that shells need: every command with the words that may follow it.
struct CompletionTable {
  struct Word: Hashable {
    let name: String
    let meaning: String
  }

  struct Option: Hashable {
    let names: [String]
    let meaning: String
    /// The name of the value; empty for a flag.
    let valueName: String
    let hint: ValueHint
    let isRepeated: Bool

    var isFlag: Bool { valueName.isEmpty }
  }

  struct Argument: Hashable {
    let name: String
    let hint: ValueHint
    let isRepeated: Bool
  }

  struct Entry: Hashable {
    /// `mayday symbols add`
    let path: [String]
    let words: [Word]
    let options: [Option]
    let arguments: [Argument]

    var name: String { path.joined(separator: " ") }
  }

  /// The program's own entry first, each before those below it.
  let entries: [Entry]
  let program: String

  /// - Parameter hints: The completions for the values of a name; nothing for those that are not
  ///   there.
  init(_ root: CommandDescription, hints: [String: ValueHint]) {
    program = root.name
    entries =
      Self.entries(of: root, hints) + Self.helpEntries(of: root, below: [root.name, "help"])
  }

  private static func entries(
    of command: CommandDescription, _ hints: [String: ValueHint]
  ) -> [Entry] {
    let visible = command.subcommands.filter { !$0.isHidden }
    var words = visible.map { Word(name: $0.name, meaning: brief($0.summary)) }
    var parameters = command.parameters
    if let fallback = visible.first(where: { $0.name == command.defaultSubcommand }) {
      parameters = fallback.parameters
    }
    var options = parameters.filter { $0.kind != .argument }.map { option in
      Option(
        names: option.names, meaning: brief(option.help),
        // No shell is to offer or eat the next word as the value of an option that may stand alone.
        valueName: option.impliedText == nil ? option.valueName : "",
        hint: hint(for: option, hints), isRepeated: option.isRepeated)
    }
    options.append(flag(["-h", "--help"], "Show help"))
    if command.path.count == 1 {
      words.append(Word(name: "help", meaning: "Explain a command or a topic"))
      options.append(flag(["--version"], "Show the version"))
    }
    let arguments = command.arguments.map { argument in
      Argument(
        name: argument.valueName, hint: hint(for: argument, hints), isRepeated: argument.isRepeated)
    }
    return [Entry(path: command.path, words: words, options: options, arguments: arguments)]
      + visible.flatMap { entries(of: $0, hints) }
  }

  /// The words that may follow `help`: commands and topics.
  private static func helpEntries(of command: CommandDescription, below path: [String]) -> [Entry] {
    let visible = command.subcommands.filter { !$0.isHidden }
    let words =
      visible.map { Word(name: $0.name, meaning: brief($0.summary)) }
      + command.topics.map { Word(name: $0.name, meaning: brief($0.summary)) }
    return [Entry(path: path, words: words, options: [], arguments: [])]
      + visible.filter { !$0.subcommands.isEmpty }
      .flatMap { helpEntries(of: $0, below: path + [$0.name]) }
  }

  private static func flag(_ names: [String], _ meaning: String) -> Option {
    Option(names: names, meaning: meaning, valueName: "", hint: .none, isRepeated: false)
  }

  private static func hint(for parameter: Parameter, _ hints: [String: ValueHint]) -> ValueHint {
    parameter.choices.isEmpty
      ? hints[parameter.valueName] ?? .none : .words(parameter.choices)
  }

  /// The first sentence, or the part before a semicolon, without its full stop.
  static func brief(_ text: String) -> String {
    var text = text[...]
    for end in ["; ", ". "] {
      if let range = text.firstRange(of: end) { text = text[..<range.lowerBound] }
    }
    return String(text.last == "." ? text.dropLast() : text)
  }
}
