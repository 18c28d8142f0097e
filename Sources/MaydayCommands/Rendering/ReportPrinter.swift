import JSON
import ReportDocument

/// Prints reports in the forms that commands offer.
struct ReportPrinter {
  let console: Console
  let isFull: Bool

  func printText(of reports: [FiledReport], group: String? = nil) throws {
    let text = ReportText(width: console.readableWidth, styles: console.styles, isFull: isFull)
    for (index, filed) in reports.enumerated() {
      if index > 0 {
        let rule = String(repeating: "─", count: console.readableWidth)
        try console.write(lines: ["", console.styles.dim(rule), ""])
      }
      try console.write(lines: text.lines(for: filed.report, id: filed.id, group: group))
    }
  }

  func printMarkdown(of reports: [FiledReport], group: String? = nil) throws {
    for (index, filed) in reports.enumerated() {
      if index > 0 { try console.write("\n") }
      let text = ReportMarkdown(
        report: filed.report, id: filed.id, group: group, isFull: isFull)
      try console.write(text.text())
    }
  }

  /// Apple's readers find a report in a file of several by its head.
  func printApple(of reports: [FiledReport]) throws {
    for filed in reports {
      try console.write(AppleCrashText(filed.report, id: filed.id).text())
    }
  }

  func printDocument(of filed: FiledReport) throws {
    var writer = JSONWriter(pretty: true)
    filed.write(to: &writer)
    writer.newLine()
    try console.write(writer.takeBytes())
  }

  func printDocuments(of reports: [FiledReport]) throws {
    var writer = JSONWriter(pretty: true)
    writer.beginArray()
    for filed in reports {
      filed.write(to: &writer)
      try console.write(writer.takeBytes())
    }
    writer.endArray()
    writer.newLine()
    try console.write(writer.takeBytes())
  }
}
