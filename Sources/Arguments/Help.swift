/// Prints a command's declarations for a person, 80 columns wide.
extension CommandDescription {
  /// What `--help` prints.
  public var help: String {
    var sections = ["\(summary)\n", "Usage: \(usage)\n"]
    if !discussion.isEmpty { sections.append(paragraphs(discussion)) }
    let visible = subcommands.filter { !$0.isHidden }
    if !visible.isEmpty {
      sections.append(
        section("Commands", visible.map { ($0.name, $0.summary) }))
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

  private static var width: Int { 80 }
  /// Terms longer than this get a line of their own.
  private static var longestTerm: Int { 26 }

  private func paragraphs(_ text: String) -> String {
    text.split(separator: "\n\n").map { paragraph in
      wrapped(String(paragraph), width: Self.width).map { $0 + "\n" }.joined()
    }.joined(separator: "\n")
  }

  private func term(for option: Parameter) -> String {
    let short = option.names.filter { !$0.hasPrefix("--") }
    let long = option.names.filter { $0.hasPrefix("--") }
    var text = (short + long).joined(separator: ", ")
    if short.isEmpty { text = "    " + text }
    return option.valueName.isEmpty ? text : text + " " + option.valueName
  }

  private func meaning(of option: Parameter) -> String {
    var text = option.help
    if option.isRepeated { text += " May be given more than once." }
    if let value = option.defaultText { text += " Default: \(value)." }
    if let name = option.environmentVariable(prefix: environmentPrefix) { text += " [$\(name)]" }
    return text
  }

  private func section(_ title: String, _ rows: [(term: String, meaning: String)]) -> String {
    let indent =
      (rows.map(\.term.count).filter { $0 <= Self.longestTerm }.max() ?? 0) + 4
    var text = "\(title):\n"
    for row in rows {
      let lines = wrapped(row.meaning, width: Self.width - indent)
      let margin = String(repeating: " ", count: indent)
      var head = "  " + row.term
      if row.term.count > Self.longestTerm {
        text += head + "\n"
        head = margin
      } else {
        head += String(repeating: " ", count: indent - head.count)
      }
      for (number, line) in lines.enumerated() {
        text += (number == 0 ? head : margin) + line + "\n"
      }
    }
    return text
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
