/// The reference of all commands as one Markdown page, from their declarations.
///
/// An option that many commands declare alike is listed once, under "Common options"; each command
/// names the ones that it accepts.
public struct MarkdownReference {
  private let program: CommandDescription
  private let common: [Parameter]

  /// The number of commands from which an option counts as common.
  private static let manyCommands = 8
  private static let width = 110

  /// - Parameter program: The program with its commands.
  public init(of program: CommandDescription) {
    self.program = program
    let options = Self.commands(of: program).flatMap(\.options)
    var order: [Parameter] = []
    for option in options where !order.contains(option) { order.append(option) }
    common = order.filter { option in options.count { $0 == option } >= Self.manyCommands }
  }

  private static func commands(of command: CommandDescription) -> [CommandDescription] {
    command.subcommands.filter { !$0.isHidden }.flatMap { [$0] + commands(of: $0) }
  }

  /// The whole page.
  public var text: String {
    var lines = [
      "# Commands", "",
      "Every command with its arguments and options, as `mayday COMMAND --help` prints them.",
      "[Command line](../use/cli.md) shows how to use them.", "",
      "<!-- Written by `mayday man --markdown`; a test compares. -->", "",
    ]
    lines += index + [""]
    lines += ["## Common options", "", "| option | |", "|---|---|"]
    lines += commonRows + ["| `-h`, `--help` | Show help. |"]
    for command in Self.commands(of: program) { lines += [""] + section(command) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The common options, one of each name: `--json` is worded differently for lists and for single documents.
  private var commonRows: [String] {
    var names: Set<String> = []
    return common.filter { names.insert($0.displayName).inserted }.map(row)
  }

  /// A table of the commands in the sections of the program's help, with links to their entries.
  private var index: [String] {
    var lines = ["| command | |", "|---|---|"]
    for (title, commands) in program.arrangedSubcommands {
      lines.append("| **\(title)** | |")
      for command in commands {
        let below = command.subcommands.filter { !$0.isHidden }
        let names = below.map { "[`\($0.name)`](#\(anchor(of: $0)))" }.joined(separator: ", ")
        let words = below.isEmpty ? "" : ": " + names
        let own = "[`\(command.name)`](#\(anchor(of: command)))"
        lines.append("| \(own)\(words) | \(Self.escaped(command.summary)) |")
      }
    }
    return lines
  }

  private func anchor(of command: CommandDescription) -> String {
    command.path.joined(separator: "-")
  }

  private func section(_ command: CommandDescription) -> [String] {
    let level = command.path.count > 2 ? "###" : "##"
    var lines = ["\(level) \(command.path.joined(separator: " "))", ""]
    lines += ["    " + command.usage, "", Self.escaped(command.summary)]
    for paragraph in command.discussion.split(separator: "\n\n") {
      lines += [""] + wrapped(Self.escaped(String(paragraph)), width: Self.width)
    }
    let own = command.options.filter { !common.contains($0) }
    let rows =
      command.arguments.map { "| `\($0.termInUsage)` | \(Self.escaped($0.help)) |" } + own.map(row)
    if !rows.isEmpty { lines += ["", "| argument or option | |", "|---|---|"] + rows }
    let shared = command.options.filter { common.contains($0) }.map { "`\($0.displayName)`" }
    if !shared.isEmpty {
      let sentence = "Also [common options](#common-options): \(shared.joined(separator: ", "))."
      lines += [""] + wrapped(sentence, width: Self.width)
    }
    if !command.examples.isEmpty {
      lines += ["", "| example | |", "|---|---|"]
      lines += command.examples.map { example in
        "| `\(example.commandLine.replacing("|", with: "\\|"))` | \(Self.escaped(example.meaning)) |"
      }
    }
    return lines
  }

  private func row(_ option: Parameter) -> String {
    var names = option.names.map { "`\($0)`" }.joined(separator: ", ")
    if !option.valueName.isEmpty {
      let value = option.valueName.replacing("|", with: "\\|")
      names.removeLast()
      names += option.impliedText == nil ? " \(value)`" : "[=\(value)]`"
    }
    var text = option.help
    if option.isRepeated { text += " May be given more than once." }
    if let value = option.defaultText { text += " Default: \(value)." }
    return "| \(names) | \(Self.escaped(text)) |"
  }

  /// The text with all markup characters escaped.
  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      if "*<|[]".contains(character) { result += "\\" }
      result.append(character)
    }
  }
}
