internal import CrashService
package import CrashModel

/// The parts of a report on a page: of a triage, and of a server.
package struct ReportPart {
  package let report: CrashReport
  /// Whether frames have addresses of their own, and all that is known of them.
  package var isDetailed = false

  private static let mostThreads = 60
  private static let mostFrames = 200
  private static let mostLines = 40
  private static let mostCauses = 10

  package init(report: CrashReport, isDetailed: Bool = false) {
    self.report = report
    self.isDetailed = isDetailed
  }

  /// The messages, and the stacks that tell of the crash.
  package func stacks() -> HTML {
    var parts = report.reason.details.map { text -> HTML in
      let lines = text.printableLines.prefix(Self.mostLines).map { "\($0)\n" as HTML }
      return "<div class=\"message mono\">\(lines)</div>"
    }
    func add(_ title: String, _ frames: [Frame], _ anchor: String?) {
      parts.append("<h3>\(title)</h3>\n\(list(frames, anchor))")
    }
    if let exception = report.reason.exception {
      if !exception.frames.isEmpty { add("Thrown at", exception.frames, "e0") }
      for (index, cause) in exception.inner.prefix(Self.mostCauses).enumerated() {
        add(
          "Caused by " + [cause.type, cause.message].compactMap { $0 }.joined(separator: ": "),
          cause.frames, "e\(index + 1)")
      }
    }
    if let index = report.crashedThread, report.threads.indices.contains(index) {
      add(
        title(of: report.threads[index]) + report.threadHeadingEnd,
        report.threads[index].frames, "t\(index)")
    }
    for stack in report.otherStacks.prefix(10) { add(stack.title, stack.frames, nil) }
    return HTML(parts)
  }

  private func list(_ frames: [Frame], _ anchor: String?) -> HTML {
    StackPart(report: report, anchor: isDetailed ? anchor : nil).list(frames)
  }

  /// The threads besides the one that crashed, each closed.
  package func otherThreads() -> HTML {
    let others = report.threads.indices.filter { $0 != report.crashedThread }
    let threads = others.prefix(Self.mostThreads).map { index -> HTML in
      let thread = report.threads[index]
      return """
        <details class="report"><summary>\(title(of: thread)) \
        <span class="quiet">\(GroupText.count(thread.frames.count, "frame", "frames"))</span></summary>
        \(list(Array(thread.frames.prefix(Self.mostFrames)), "t\(index)"))</details>

        """
    }
    return HTML(threads)
  }

  private func title(of thread: CrashThread) -> String {
    "Thread \(thread.index)" + (thread.name.map { " “\($0)”" } ?? "")
  }

  /// What is known of the report, a line each.
  package func facts(id: String) -> HTML {
    let facts = ReportFacts(of: report, id: id).rows.map { row -> HTML in
      "<dt>\(row.label)</dt><dd>\(row.value)</dd>"
    }
    return "<dl>\(facts)</dl>"
  }

  /// The registers of the thread that crashed; nothing where the report has none.
  package func registers() -> HTML {
    guard let index = report.crashedThread, report.threads.indices.contains(index),
      !report.threads[index].registers.isEmpty
    else { return .none }
    let items = report.threads[index].registers.map { register -> HTML in
      "<li class=\"mono\">\(register.name) 0x\(String(register.value, radix: 16))</li>"
    }
    return """
      <section><h2>Registers</h2><details><summary>\(items.count) of the thread that crashed</summary>\
      <ul class="registers">\(items)</ul></details></section>
      """
  }

  /// The images in which frames lie, with what was found of their symbols.
  package func images() -> HTML {
    let used = ImageSummary(of: report).used
    guard !used.isEmpty else { return .none }
    let rows = used.map { entry -> HTML in
      let symbols = entry.image.symbols
      // A match that is not verified looks like a warning.
      let style = symbols?.isUnverified == true ? "missing" : symbols?.verdict.rawValue ?? ""
      return """
        <tr><td>\(entry.image.name)</td><td class="number">\(entry.frames)</td>\
        <td class="\(style)">\(symbols?.short ?? "")</td>\
        <td class="mono">\(entry.image.debugID?.description ?? "")</td></tr>
        """
    }
    return """
      <h3>Images with frames</h3>
      <table><tr><th>Image</th><th class="number">Frames</th><th>Symbols</th><th>Debug id</th></tr>\
      \(rows)</table>
      """
  }

  package func notes() -> HTML {
    let notes = report.notes.map { "<li>\($0)</li>" as HTML }
    return notes.isEmpty ? .none : "<h3>Notes</h3><ul>\(notes)</ul>"
  }
}
