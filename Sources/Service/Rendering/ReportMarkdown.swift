internal import Bytes
package import CrashModel
internal import CrashService
internal import Identifiers

/// A report in Markdown, for an issue or a chat.
package struct ReportMarkdown {
  package let report: CrashReport
  package let id: String?
  package let group: String?
  /// The address of the report's page, where a server has one.
  package var address: String?
  /// Whether every frame of every thread is shown, nothing folded.
  package var isFull = false

  /// The maximum number of threads besides the crashed one: sites limit pasted text.
  private static let mostThreads = 16
  /// The maximum number of lines of one of their stacks.
  private static let mostLines = 24
  /// The maximum number of causes of an exception.
  private static let mostCauses = 50

  package static func text(for report: CrashReport, id: String? = nil, group: String? = nil)
    -> String
  {
    ReportMarkdown(report: report, id: id, group: group).text()
  }

  package func text() -> String {
    "## \(Markdown.text(report.headline))\n" + (address.map { "\n<\($0)>\n" } ?? "") + messages()
      + "\n"
      + Self.facts(ReportFacts(of: report, id: id, group: group, hasTags: false).rows) + stacks()
      + rest()
  }

  /// A description of the reason.
  package func messages() -> String {
    report.details.map { "\n" + Markdown.fenced($0.printableLines) }.joined()
  }

  /// A table of labels and values.
  package static func facts(_ rows: [(label: String, value: String)]) -> String {
    guard !rows.isEmpty else { return "" }
    return Markdown.row(["", ""]) + "|---|---|\n"
      + rows.map { row in
        Markdown.row([
          Markdown.cell(row.label),
          ["Signature", "Report"].contains(row.label)
            ? Markdown.codeCell(row.value) : Markdown.cell(row.value),
        ])
      }.joined()
  }

  /// The stacks that the report is about.
  package func stacks() -> String {
    var text = ""
    if let exception = report.reason.exception, !exception.frames.isEmpty {
      text += section("Thrown at", exception.frames)
    }
    var causes = report.reason.exception?.inner ?? []
    var told = 0
    while !causes.isEmpty && told < Self.mostCauses {
      let cause = causes.removeFirst()
      let title = [cause.type, cause.message].compactMap { $0 }.joined(separator: ": ")
      text += section("Caused by " + title, cause.frames)
      causes = cause.inner + causes
      told += 1
    }
    if let index = report.crashedThread, report.threads.indices.contains(index) {
      let thread = report.threads[index]
      text += section(title(of: thread) + report.threadHeadingEnd, thread.frames)
    }
    for stack in report.otherStacks { text += section(stack.title, stack.frames) }
    return text
  }

  /// Other threads, images and notes.
  package func rest() -> String {
    var text = otherThreads() + images()
    if !report.notes.isEmpty {
      text += "\n### Notes\n\n" + report.notes.map { "- \(Markdown.text($0))\n" }.joined()
    }
    return text
  }

  private func title(of thread: CrashThread) -> String {
    let name = thread.name.flatMap { $0.isEmpty ? nil : $0 }
    return "Thread \(thread.index)" + (name.map { " “\($0)”" } ?? "")
  }

  private func section(_ title: String, _ frames: [Frame]) -> String {
    let heading = "\n### \(Markdown.text(title))\n"
    return frames.isEmpty ? heading : heading + "\n" + Markdown.fenced(lines(frames))
  }

  private func lines(_ frames: [Frame]) -> [String] {
    StackText(report: report, width: 100, styles: .plain, isFull: isFull).lines(frames)
  }

  private func otherThreads() -> String {
    let others = report.threads.indices.filter { $0 != report.crashedThread }
    guard !others.isEmpty else { return "" }
    let shown = isFull ? others.count : Self.mostThreads
    var all: [String] = []
    for index in others.prefix(shown) {
      let thread = report.threads[index]
      all += (all.isEmpty ? [] : [""]) + [title(of: thread).printable + ":"]
      let stack = lines(thread.frames)
      all += isFull ? stack : Array(stack.prefix(Self.mostLines))
      if !isFull && stack.count > Self.mostLines {
        all.append("    … \(stack.count - Self.mostLines) lines left out")
      }
    }
    if others.count > shown { all += ["", "… \(others.count - shown) more threads"] }
    return Markdown.folded("Other threads", Markdown.fenced(all))
  }

  private func images() -> String {
    let used = ImageSummary(of: report).used
    guard !used.isEmpty else { return "" }
    var table = "| image | arch | frames | symbols | debug id |\n|---|---|--:|---|---|\n"
    for entry in used {
      let image = entry.image
      let cells = [
        image.name, image.architecture?.description ?? "", String(entry.frames),
        image.symbols?.short ?? "", image.debugID?.description ?? "",
      ]
      table += Markdown.row(cells.map(Markdown.cell))
    }
    return Markdown.folded("Images with frames", table)
  }

  package init(report: CrashReport, id: String?, group: String?, isFull: Bool = false) {
    self.report = report
    self.id = id
    self.group = group
    self.isFull = isFull
  }
}
