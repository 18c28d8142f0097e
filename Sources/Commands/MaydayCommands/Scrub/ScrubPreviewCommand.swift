import Arguments
import Bytes
import CommandSupport
import JSON
import Rendering
import Scrubbing
import Terminal

/// `mayday scrub preview`
struct ScrubPreviewCommand: Command {
  static let name = "preview"
  static let summary = "Show what would be scrubbed from a text file."
  static let discussion = """
    Prints the lines that would change, as they would be stored. Nothing is changed. Binary files \
    are always stored unchanged.
    """
  static let examples = [
    Example("mayday scrub preview app.log", "With the home's rules."),
    Example("mayday scrub preview app.log --rules new.conf", "With other rules."),
    Example("mayday scrub preview app.log --whole > clean.log", "The whole file, scrubbed."),
  ]

  @Argument("FILE", help: "A text file, such as a log or a report.") var file: String
  @Option("--rules", help: "A scrubbing file; by default the home's.", value: "FILE")
  var rules: String?
  @Flag("--whole", help: "Print all lines.") var isWhole
  @OptionGroup var home = HomeOptions()
  @OptionGroup var output = OutputOptions()

  private static let sizeLimit = 1 << 28

  func validate() throws(UsageError) {
    if isWhole && output.json {
      throw UsageError("--whole prints text; --json lists what is found")
    }
  }

  func run() throws {
    let scrubber = try Scrubber(ScrubRules(file: rules, home: home))
    let bytes = try ByteView(reading: file, limit: Self.sizeLimit)
    let console = output.console
    let scrubbed = scrubber.scrub(file: bytes)
    if isWhole { return try console.write(scrubbed.array) }
    guard String(validating: bytes.array, as: UTF8.self) != nil else {
      throw CommandFailure("\(file.printable): it is not UTF-8 text, and would be stored unchanged")
    }
    let finds = scrubber.finds(in: bytes)
    if output.json {
      try printJSON(finds, in: bytes, scrubber.rules, to: console)
    } else {
      try console.write(lines: Self.lines(finds, in: bytes, scrubber.rules))
    }
    console.say("\(GroupText.count(finds.count, "text", "texts")) would be taken out.")
  }

  /// The lines that change, with their numbers in the file.
  private static func lines(
    _ finds: [Scrubber.Find], in bytes: ByteView, _ rules: ScrubRules
  ) -> [String] {
    var lines: [String] = []
    var next = finds[...]
    var number = 0
    var start = 0
    while start < bytes.count, !next.isEmpty {
      var end = start
      while end < bytes.count, bytes[end] != 0x0a { end += 1 }
      number += 1
      var text: [UInt8] = []
      var done = start
      var isChanged = false
      while let find = next.first, find.range.lowerBound <= end {
        isChanged = true
        if find.range.lowerBound >= done {
          text += bytes.clamped(done..<find.range.lowerBound).array
          text += Array("[\(rules.rules[find.rule].name)]".utf8)
        }
        done = find.range.upperBound
        // A match that continues on the next line is found there again.
        if find.range.upperBound > end { break }
        next = next.dropFirst()
      }
      if done < end { text += bytes.clamped(done..<end).array }
      if isChanged { lines.append("\(number): " + String(decoding: text, as: UTF8.self).printable) }
      start = end + 1
    }
    return lines
  }

  private func printJSON(
    _ finds: [Scrubber.Find], in bytes: ByteView, _ rules: ScrubRules, to console: Console
  ) throws {
    var writer = JSONWriter(pretty: true)
    writer.beginArray()
    var line = 1
    var start = 0
    var index = 0
    for find in finds {
      while index < find.range.lowerBound {
        if bytes[index] == 0x0a {
          line += 1
          start = index + 1
        }
        index += 1
      }
      let rule = rules.rules[find.rule]
      writer.beginObject()
      writer.member("line", line)
      writer.member("column", find.range.lowerBound - start + 1)
      writer.member("bytes", find.range.count)
      writer.member("list", rule.list)
      writer.member("name", rule.name)
      writer.member("pattern", rule.text)
      writer.endObject()
    }
    writer.endArray()
    writer.newLine()
    try console.write(json: writer.takeBytes())
  }
}
