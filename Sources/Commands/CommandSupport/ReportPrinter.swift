internal import Bytes
internal import JSON
internal import Rendering
package import ReportDocument
package import Terminal

/// Prints reports in the formats that commands offer.
package struct ReportPrinter {
  package let console: Console
  package let isFull: Bool
  package let schema: ReportSchema
  /// The address of the server's pages, for links to reports.
  package var server: String?

  package init(console: Console, isFull: Bool, schema: ReportSchema = .mayday) {
    self.console = console
    self.isFull = isFull
    self.schema = schema
  }

  /// - Parameter files: The file of each report; empty where they need not be named.
  package func printText(
    of reports: [StoredReport], group: String? = nil, files: [String] = []
  ) throws {
    let width = console.readableWidth
    let text = ReportText(width: width, styles: console.styles, isFull: isFull)
    for (index, stored) in reports.enumerated() {
      if index < files.count {
        let name = files[index].printable.truncatedAtStart(to: width - 6)
        let rule = String(repeating: "─", count: max(2, width - name.columns - 4))
        try console.write(
          lines: (index > 0 ? [""] : []) + [console.styles.dim("── \(name) \(rule)"), ""])
      } else if index > 0 {
        let rule = String(repeating: "─", count: width)
        try console.write(lines: ["", console.styles.dim(rule), ""])
      }
      try console.write(
        lines: text.lines(
          for: stored.report, id: stored.id, group: group, address: address(of: stored)))
    }
  }

  /// - Parameter files: The file of each report; empty where they need not be named.
  package func printMarkdown(
    of reports: [StoredReport], group: String? = nil, files: [String] = []
  ) throws {
    for (index, stored) in reports.enumerated() {
      if index > 0 { try console.write("\n") }
      if index < files.count {
        try console.write("From \(Markdown.code(files[index].printable)):\n\n")
      }
      var text = ReportMarkdown(
        report: stored.report, id: stored.id, group: group, isFull: isFull)
      text.address = address(of: stored)
      try console.write(text.text())
    }
  }

  private func address(of stored: StoredReport) -> String? {
    server.map { $0 + "/reports/" + stored.id }
  }

  /// Apple's readers find a report in a file of several by its header.
  package func printApple(of reports: [StoredReport]) throws {
    for stored in reports {
      try console.write(AppleCrashText(stored.report, id: stored.id).text())
    }
  }

  /// A report as minidump-stackwalk prints it; the tools that read this take one per file.
  package func printStackwalk(of reports: [StoredReport]) throws {
    for (index, stored) in reports.enumerated() {
      if index > 0 { try console.write("\n") }
      try console.write(StackwalkText(stored.report).text())
    }
  }

  package func printDocument(of stored: StoredReport) throws {
    var writer = JSONWriter(pretty: true)
    schema.write(stored, to: &writer)
    writer.newLine()
    try console.write(json: writer.takeBytes())
  }

  package func printDocuments(of reports: [StoredReport]) throws {
    var writer = JSONWriter(pretty: true)
    writer.beginArray()
    for stored in reports {
      schema.write(stored, to: &writer)
      // Without a filter, no more than one document is in memory.
      if console.jsonFilter == nil { try console.write(writer.takeBytes()) }
    }
    writer.endArray()
    writer.newLine()
    try console.write(json: writer.takeBytes())
  }
}

extension ReportSchema {
  /// Writes the report's document as the next value.
  func write(_ stored: StoredReport, to writer: inout JSONWriter) {
    switch self {
    case .mayday: stored.write(to: &writer)
    case .rustMinidump: StackwalkDocument(stored.report).write(to: &writer)
    }
  }

  /// The report's document on a line, after the name of its file as `source`.
  package func line(of stored: StoredReport, from source: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("source", source)
    writer.endObject()
    var line = writer.takeBytes()
    write(stored, to: &writer)
    writer.newLine()
    line.removeLast()
    line.append(UInt8(ascii: ","))
    line += writer.takeBytes().dropFirst()
    return line
  }

  /// A line for a file from which no report could be read.
  package static func line(of source: String, failed reason: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("source", source)
    writer.member("error", reason)
    writer.endObject()
    writer.newLine()
    return writer.takeBytes()
  }
}
