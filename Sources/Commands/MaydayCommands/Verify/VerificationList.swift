import APIDocuments
import Bytes
import Documents
import JSON
import Pipeline
import Rendering
import Terminal

/// Prints the results of verifying: each report that differs, and counts by cause.
///
/// JSON is an object: the results, if requested, then the sums.
struct VerificationList {
  private let console: Console
  private let isJSON: Bool
  private let showsDetails: Bool
  private var writer = JSONWriter(pretty: true)
  private(set) var sums = VerificationSums()
  private var named: (name: String?, count: Int, different: Int) = (nil, 0, 0)

  /// - Parameter showsDetails: Whether each report that differs is printed.
  init(console: Console, isJSON: Bool, showsDetails: Bool) {
    self.console = console
    self.isJSON = isJSON
    self.showsDetails = showsDetails
    if isJSON {
      writer.beginObject()
      if showsDetails {
        writer.key("results")
        writer.beginArray()
      }
    }
  }

  /// Begins the reports of an ID; `nil` if all are verified.
  mutating func begin(_ name: String?) { named = (name, 0, 0) }

  mutating func add(_ results: [Verification]) throws {
    for result in results {
      sums.add(result)
      named.count += 1
      if !result.isIdentical { named.different += 1 }
      guard showsDetails else { continue }
      if isJSON {
        writer.write(result)
      } else if !result.isIdentical {
        let text = VerificationText(width: console.readableWidth, styles: console.styles)
        try console.write(lines: text.lines(for: result))
      }
    }
    // A filter needs the whole document.
    if isJSON, console.jsonFilter == nil { try console.write(writer.takeBytes()) }
  }

  /// Ends the reports of an ID.
  mutating func endNamed() throws {
    guard !isJSON, let name = named.name, named.different == 0 else { return }
    let reports = named.count == 1 ? "" : "  \(named.count) reports"
    try console.write(lines: [console.styles.good("identical") + "  \(name.printable)\(reports)"])
  }

  mutating func end() throws {
    if isJSON {
      if showsDetails { writer.endArray() }
      writer.members(sums)
      writer.endObject()
      writer.newLine()
      try console.write(json: writer.takeBytes())
    } else if sums.differentCount > (showsDetails ? 1 : 0) {
      let text = sums.text(width: console.readableWidth, styles: console.styles)
      try console.write(lines: (showsDetails ? [""] : []) + text)
    }
  }
}
