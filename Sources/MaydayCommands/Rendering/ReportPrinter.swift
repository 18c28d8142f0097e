import Terminal
import Rendering
import JSON
import ReportDocument

/// Prints reports in the forms that commands offer.
struct ReportPrinter {
  let console: Console
  let isFull: Bool

  func printText(of reports: [StoredReport], group: String? = nil) throws {
    let text = ReportText(width: console.readableWidth, styles: console.styles, isFull: isFull)
    for (index, stored) in reports.enumerated() {
      if index > 0 {
        let rule = String(repeating: "─", count: console.readableWidth)
        try console.write(lines: ["", console.styles.dim(rule), ""])
      }
      try console.write(lines: text.lines(for: stored.report, id: stored.id, group: group))
    }
  }

  func printMarkdown(of reports: [StoredReport], group: String? = nil) throws {
    for (index, stored) in reports.enumerated() {
      if index > 0 { try console.write("\n") }
      let text = ReportMarkdown(
        report: stored.report, id: stored.id, group: group, isFull: isFull)
      try console.write(text.text())
    }
  }

  /// Apple's readers find a report in a file of several by its head.
  func printApple(of reports: [StoredReport]) throws {
    for stored in reports {
      try console.write(AppleCrashText(stored.report, id: stored.id).text())
    }
  }

  func printDocument(of stored: StoredReport) throws {
    var writer = JSONWriter(pretty: true)
    stored.write(to: &writer)
    writer.newLine()
    try console.write(writer.takeBytes())
  }

  func printDocuments(of reports: [StoredReport]) throws {
    var writer = JSONWriter(pretty: true)
    writer.beginArray()
    for stored in reports {
      stored.write(to: &writer)
      try console.write(writer.takeBytes())
    }
    writer.endArray()
    writer.newLine()
    try console.write(writer.takeBytes())
  }
}
