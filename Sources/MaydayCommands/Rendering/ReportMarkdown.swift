import CrashModel

/// A report in Markdown, for an issue or a chat.
enum ReportMarkdown {
  static func text(for report: CrashReport, id: String? = nil, group: String? = nil) -> String {
    var text = "## \(escaped(report.headline))\n"
    for message in report.reason.details { text += "\n" + fenced(message.printableLines) }
    text += "\n"
    for row in ReportFacts(of: report, id: id, group: group, hasTags: false).rows {
      text += "- **\(escaped(row.label))**: \(escaped(row.value))\n"
    }
    if let exception = report.reason.exception, !exception.frames.isEmpty {
      text += section("Thrown at", exception.frames, of: report)
    }
    var causes = report.reason.exception?.inner ?? []
    var told = 0
    while !causes.isEmpty && told < 50 {
      let cause = causes.removeFirst()
      let title = [cause.type, cause.message].compactMap { $0 }.joined(separator: ": ")
      text += section("Caused by " + title, cause.frames, of: report)
      causes = cause.inner + causes
      told += 1
    }
    if let index = report.crashedThread, report.threads.indices.contains(index) {
      let thread = report.threads[index]
      let name = thread.name.map { " “\($0)”" } ?? ""
      text += section("Thread \(thread.index)\(name) crashed", thread.frames, of: report)
    }
    for stack in report.otherStacks { text += section(stack.title, stack.frames, of: report) }
    text += images(of: report)
    if !report.notes.isEmpty {
      text += "\n### Notes\n\n" + report.notes.map { "- \(escaped($0))\n" }.joined()
    }
    return text
  }

  private static func section(
    _ title: String, _ frames: [Frame], of report: CrashReport
  ) -> String {
    guard !frames.isEmpty else { return "\n### \(escaped(title))\n" }
    let lines = StackText(report: report, width: 100, styles: .plain, isFull: false).lines(frames)
    return "\n### \(escaped(title))\n\n" + fenced(lines)
  }

  private static func images(of report: CrashReport) -> String {
    let used = ImageSummary(of: report).used
    guard !used.isEmpty else { return "" }
    var text = "\n### Images with frames\n\n"
    text += "| image | arch | frames | symbols | debug id |\n|---|---|--:|---|---|\n"
    for entry in used {
      let image = entry.image
      let cells = [
        image.name, image.architecture?.description ?? "", String(entry.frames),
        image.symbols?.verdict.rawValue ?? "", image.debugID?.description ?? "",
      ]
      text += "| " + cells.map(escaped).joined(separator: " | ") + " |\n"
    }
    return text
  }

  /// Lines as they stand, in a fence that is longer than any in them.
  private static func fenced(_ lines: [String]) -> String {
    var longest = 2
    for line in lines {
      var run = 0
      for character in line {
        run = character == "`" ? run + 1 : 0
        longest = max(longest, run)
      }
    }
    let fence = String(repeating: "`", count: longest + 1)
    return ([fence] + lines + [fence]).joined(separator: "\n") + "\n"
  }

  /// Text in which no character means anything to Markdown.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text.printable {
      if "\\`*_{}[]<>#|~&!".contains(character) { escaped.append("\\") }
      escaped.append(character)
    }
    return escaped
  }
}
