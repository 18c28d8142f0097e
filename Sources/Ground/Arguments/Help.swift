/// Prints a command's declarations for a person, 80 columns wide.
extension CommandDescription {
  /// The text of `--help`.
  public var help: String {
    var sections = ["\(summary)\n", "Usage: \(usage)\n"]
    if !discussion.isEmpty { sections.append(paragraphs(discussion)) }
    for (title, commands) in arrangedSubcommands {
      sections.append(
        section(
          title,
          commands.map { command in
            let isDefault = command.name == defaultSubcommand
            return (command.name, command.summary + (isDefault ? " This is the default." : ""))
          }))
    }
    if !topics.isEmpty {
      sections.append(section("More help", topics.map { ("help " + $0.name, $0.summary) }))
    }
    if !arguments.isEmpty {
      sections.append(
        section(
          "Arguments",
          arguments.map { ($0.termInUsage, $0.help) }))
    }
    var rows = options.map { (term(for: $0), meaning(of: $0)) }
    rows.append(("-h, --help", "Show this help."))
    if path.count == 1 { rows.append(("    --version", "Show the version.")) }
    sections.append(section("Options", rows))
    if !examples.isEmpty {
      let lines = examples.map { example in
        "  \(example.commandLine)\n"
          + wrapped(example.meaning, width: Self.width - 6).map { "      \($0)\n" }.joined()
      }
      sections.append("Examples:\n" + lines.joined())
    }
    return sections.joined(separator: "\n")
  }

  static var width: Int { 80 }

  private func paragraphs(_ text: String) -> String {
    text.split(separator: "\n\n").map { paragraph in
      String(paragraph).lines(wrappedTo: Self.width)
    }.joined(separator: "\n")
  }

  private func term(for option: Parameter) -> String {
    let short = option.names.filter { !$0.hasPrefix("--") }
    let long = option.names.filter { $0.hasPrefix("--") }
    var text = (short + long).joined(separator: ", ")
    if short.isEmpty { text = "    " + text }
    if option.valueName.isEmpty { return text }
    return text + (option.impliedText == nil ? " \(option.valueName)" : "[=\(option.valueName)]")
  }

  /// The description of an option, with its default and its variable.
  func meaning(of option: Parameter) -> String {
    var text = option.help
    if option.isRepeated { text += " May be given more than once." }
    if let value = option.defaultText { text += " Default: \(value)." }
    if let name = option.environmentVariable(prefix: environmentPrefix) { text += " [$\(name)]" }
    return text
  }

  private func section(_ title: String, _ rows: [(term: String, meaning: String)]) -> String {
    "\(title):\n" + HelpTable(rows).text
  }
}

/// Terms with their meanings beside them, 80 columns wide.
struct HelpTable {
  let rows: [(term: String, meaning: String)]

  init(_ rows: [(term: String, meaning: String)]) { self.rows = rows }

  /// Terms longer than this get a line of their own.
  private static let longestTerm = 26

  var text: String {
    let indent = (rows.map(\.term.count).filter { $0 <= Self.longestTerm }.max() ?? 0) + 4
    let margin = String(repeating: " ", count: indent)
    var text = ""
    for row in rows {
      var head = "  " + row.term
      if row.term.count > Self.longestTerm {
        text += head + "\n"
        head = margin
      } else {
        head += String(repeating: " ", count: indent - head.count)
      }
      for (number, line) in wrapped(row.meaning, width: CommandDescription.width - indent)
        .enumerated()
      {
        text += (number == 0 ? head : margin) + line + "\n"
      }
    }
    return text
  }
}

extension String {
  /// The text in lines of at most `width` characters, each with its end.
  func lines(wrappedTo width: Int) -> String {
    wrapped(self, width: width).map { $0 + "\n" }.joined()
  }
}

/// `text` in lines of at most `width` characters, broken at blanks; a longer word stands alone.
func wrapped(_ text: String, width: Int) -> [String] {
  var lines: [String] = []
  var line = ""
  for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
    if !line.isEmpty && line.count + 1 + word.count > width {
      lines.append(line)
      line = ""
    }
    line += (line.isEmpty ? "" : " ") + word
  }
  if !line.isEmpty { lines.append(line) }
  return lines
}
