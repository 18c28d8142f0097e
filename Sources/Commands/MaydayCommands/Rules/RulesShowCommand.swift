import APIDocuments
import Arguments
import Bytes
import CommandSupport
import Documents
import Grouping
import JSON
import Rendering
import Terminal

/// `mayday rules show`
struct RulesShowCommand: Command {
  static let name = "show"
  static let summary = "Print the rule lists, one list, or one rule."
  static let discussion = """
    Explanations and documents cite a rule by list and line: death.rules:12.
    """
  static let examples = [
    Example("mayday rules show", "All lists and their purpose."),
    Example("mayday rules show death.rules", "One list, with line numbers."),
    Example("mayday rules show death.rules:12", "One rule and its meaning."),
  ]

  @Argument("LIST[:LINE]", help: "A list, or one line of it; by default all lists are named.")
  var rule: String?
  @OptionGroup var output = OutputOptions()

  @Option("--builtin", help: "The built-in rules: v1.", value: "VERSION")
  var version: String?

  func run() throws {
    let console = output.console
    let rules = try GroupingRules(named: version)
    guard let rule else { return try printLists(of: rules, to: console) }
    if let line = rules.line(rule) {
      if output.json { return try printJSON([line], to: console) }
      let text = RuleText(width: console.readableWidth, styles: console.styles)
      return try console.write(lines: text.lines(for: line))
    }
    guard let lines = rules.lines(of: rule) else { throw unknown(rule, in: rules) }
    if output.json { return try printJSON(lines.filter(\.isRule), to: console) }
    let width = String(lines.count).count
    try console.write(
      lines: lines.map { line in
        let number = String(line.number).padded(to: width, right: true)
        return line.text.isEmpty ? number : "\(number)  \(line.text)"
      })
  }

  private func printLists(of rules: GroupingRules, to console: Console) throws {
    if output.json {
      var writer = JSONWriter(pretty: true)
      writer.beginObject()
      writer.member("version", rules.version)
      writer.member("digest", rules.digest)
      writer.key("lists")
      writer.beginArray()
      for (name, _) in rules.lists {
        writer.beginObject()
        writer.member("list", name)
        writer.member("rules", rules.lines(of: name)?.filter(\.isRule).count ?? 0)
        writer.member("purpose", rules.purpose(of: name))
        writer.endObject()
      }
      writer.endArray()
      writer.endObject()
      writer.newLine()
      return try console.write(json: writer.takeBytes())
    }
    var table = TextTable([.text("LIST"), .number("RULES"), .text("PURPOSE", .atEnd)])
    for (name, _) in rules.lists {
      let count = rules.lines(of: name)?.filter(\.isRule).count ?? 0
      table.add([name, String(count), rules.purpose(of: name) ?? ""])
    }
    try console.write(lines: table.lines(width: console.width, styles: console.styles))
    console.say("Rules \(rules.version), SHA-256 \(rules.digest)")
  }

  private func printJSON(_ lines: [RuleLine], to console: Console) throws {
    var writer = JSONWriter(pretty: true)
    writer.beginArray()
    for line in lines { writer.write(line) }
    writer.endArray()
    writer.newLine()
    try console.write(json: writer.takeBytes())
  }

  private func unknown(_ name: String, in rules: GroupingRules) -> CommandFailure {
    let list = name.split(separator: ":").first.map(String.init) ?? name
    if let lines = rules.lines(of: list) {
      return CommandFailure(
        "\(name.printable): \(list) has the lines 1 to \(lines.count)", .notFound)
    }
    let names = rules.lists.map(\.name).joined(separator: ", ")
    return CommandFailure("\(name.printable): no list of that name; there are \(names)", .notFound)
  }
}

extension JSONWriter {
  mutating func write(_ line: RuleLine) {
    beginObject()
    member("rule", line.id)
    member("text", line.text)
    member("heading", line.heading)
    endObject()
  }
}
