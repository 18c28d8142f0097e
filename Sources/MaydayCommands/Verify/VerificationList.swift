import JSON
import Pipeline

/// Prints what became of reports while they are verified: those that differ one by one, the others by
/// the name under which they were asked for. As JSON, each report.
struct VerificationList {
  private let console: Console
  private let isJSON: Bool
  private var writer = JSONWriter(pretty: true)
  private(set) var count = 0
  private(set) var differentCount = 0
  private var part: (name: String?, count: Int, different: Int) = (nil, 0, 0)

  init(console: Console, isJSON: Bool) {
    self.console = console
    self.isJSON = isJSON
    if isJSON { writer.beginArray() }
  }

  /// Begins with the reports of a name; `nil` where nobody named them.
  mutating func begin(_ name: String?) { part = (name, 0, 0) }

  mutating func add(_ results: [Verification]) throws {
    for result in results {
      count += 1
      part.count += 1
      if !result.isIdentical {
        differentCount += 1
        part.different += 1
      }
      if isJSON {
        writer.write(result)
      } else if !result.isIdentical {
        let text = VerificationText(width: console.readableWidth, styles: console.styles)
        try console.write(lines: text.lines(for: result))
      }
    }
    if isJSON { try console.write(writer.takeBytes()) }
  }

  mutating func endPart() throws {
    guard !isJSON, let name = part.name, part.different == 0 else { return }
    let reports = part.count == 1 ? "" : "  \(part.count) reports"
    try console.write(lines: [console.styles.good("identical") + "  \(name.printable)\(reports)"])
  }

  mutating func end() throws {
    guard isJSON else { return }
    writer.endArray()
    writer.newLine()
    try console.write(writer.takeBytes())
  }
}
