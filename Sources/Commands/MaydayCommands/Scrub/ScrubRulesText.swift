import Bytes
import JSON
import Rendering
import Scrubbing
import Terminal

/// The rules of a home, as a list and as JSON.
struct ScrubRulesText {
  let rules: ScrubRules

  func print(to console: Console, isJSON: Bool) throws {
    if isJSON {
      var writer = JSONWriter(pretty: true)
      write(to: &writer)
      writer.newLine()
      return try console.write(json: writer.takeBytes())
    }
    var table = TextTable([.text("LIST"), .text("USED"), .text("WHAT IT REMOVES", .atEnd)])
    for list in ScrubRules.known {
      table.add([list.name, rules.lists.contains(list.name) ? "yes" : "no", list.purpose])
    }
    for rule in rules.rules where rule.list == "own" {
      table.add([rule.name.printable, "own", rule.text.printable])
    }
    try console.write(lines: table.lines(width: console.width, styles: console.styles))
    let kept = rules.submissions == .keep ? "stored unchanged" : "scrubbed where they are text"
    console.say("Rules \(rules.version). Submissions are \(kept).")
  }

  private func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("version", rules.version)
    writer.member("lists", rules.lists)
    writer.member("names", rules.names)
    writer.member("submissions", rules.submissions.rawValue)
    writer.key("rules")
    writer.beginArray()
    for rule in rules.rules {
      writer.beginObject()
      writer.member("list", rule.list)
      writer.member("name", rule.name)
      writer.member("pattern", rule.text)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
  }
}
