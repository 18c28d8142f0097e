internal import Bytes
package import CrashModel
internal import CrashService
internal import Identifiers

/// The parts of a report, for triage pages and for the server's pages.
package struct ReportFragment {
  package let report: CrashReport
  /// Whether threads and frames have links and all their details.
  package var isDetailed = false

  private static let mostThreads = 60
  private static let mostFrames = 200
  private static let mostLines = 40
  private static let mostStacks = 20
  private static let mostNotes = 100
  private static let mostRegisters = 200
  /// The size of the markup in bytes after which threads are only counted.
  private static let threadBudget = 1_500_000

  package init(report: CrashReport, isDetailed: Bool = false) {
    self.report = report
    self.isDetailed = isDetailed
  }

  /// The messages and the stacks of the crash.
  package func stacks() -> HTML { "\(messages())\(tellingStacks())" }

  /// Messages of the program or the system, besides the headline.
  package func messages() -> HTML {
    HTML(
      report.details.map { text -> HTML in
        let all = text.printableLines
        let lines = all.prefix(Self.mostLines).map { "\($0)\n" as HTML }
        return
          "<div class=\"message mono\">\(lines)\(Self.more(all.count - lines.count, "line"))</div>"
      })
  }

  /// One of the stacks of the crash.
  package struct Stack {
    package let title: String
    package let frames: [Frame]
    /// Its anchor on a page.
    package let anchor: String
    /// The title of an earlier stack that it repeats.
    package var repeated: String?
  }

  /// The stacks of the crash in this order: where an exception was thrown, its causes, the crashed thread,
  /// and stacks without a thread.
  package var telling: [Stack] {
    var stacks: [Stack] = []
    if let exception = report.reason.exception {
      if !exception.frames.isEmpty {
        stacks.append(Stack(title: "Thrown at", frames: exception.frames, anchor: "e0"))
      }
      var causes = Array(exception.inner.reversed())
      var number = 0
      while let cause = causes.popLast() {
        number += 1
        let words = [cause.type, cause.message].compactMap { $0 }.joined(separator: ": ")
        stacks.append(
          Stack(title: "Caused by " + words, frames: cause.frames, anchor: "e\(number)"))
        causes += cause.inner.reversed()
      }
    }
    if let index = crashed {
      let thread = report.threads[index]
      stacks.append(
        Stack(
          title: title(of: thread) + report.threadHeadingEnd, frames: thread.frames,
          anchor: "t\(index)"))
    }
    for (index, stack) in report.otherStacks.enumerated() {
      stacks.append(Stack(title: stack.title, frames: stack.frames, anchor: "s\(index)"))
    }
    for index in stacks.indices.dropFirst() {
      stacks[index].repeated = stacks[..<index].first { stacks[index].repeats($0) }?.title
    }
    return stacks
  }

  private func tellingStacks() -> HTML {
    let all = telling
    let parts = all.prefix(Self.mostStacks).map { stack -> HTML in
      guard isDetailed else {
        return "<h3>\(stack.title)</h3>\n\(folded(stack, list(stack.frames, nil)))"
      }
      return """
        <h2 class="stacked" id="\(stack.anchor)">\(HTML.name(stack.title)) \(link(stack.anchor, "this stack"))</h2>
        \(folded(stack, list(stack.frames, stack.anchor)))
        """
    }
    let left = Self.more(all.count - parts.count, "stack")
    return "\(parts)\(left.markup.isEmpty ? .none : "<p class=\"quiet\">\(left)</p>" as HTML)"
  }

  /// A stack's frames, which a reader opens if an earlier stack has them already.
  private func folded(_ stack: Stack, _ frames: HTML) -> HTML {
    guard let repeated = stack.repeated else { return frames }
    let count = GroupText.count(stack.frames.count, "frame", "frames")
    return """
      <details class="repeated"><summary class="quiet">\(count), the same calls as “\(repeated)”</summary>\(frames)</details>
      """
  }

  /// `… 3 more threads`, or nothing.
  private static func more(_ count: Int, _ what: String) -> HTML {
    count > 0 ? "… \(GroupText.count(count, "more " + what, "more " + what + "s"))" : .none
  }

  private func link(_ anchor: String, _ what: String) -> HTML {
    "<a class=\"anchor\" href=\"#\(anchor)\" aria-label=\"Link to \(what)\">#</a>"
  }

  private func list(_ frames: [Frame], _ anchor: String?) -> HTML {
    StackFragment(report: report, anchor: isDetailed ? anchor : nil).list(frames)
  }

  /// The index of the thread that the report is about.
  private var crashed: Int? {
    report.crashedThread.flatMap { report.threads.indices.contains($0) ? $0 : nil }
  }

  /// The other threads, each folded.
  package func otherThreads() -> HTML {
    let others = report.threads.indices.filter { $0 != crashed }
    var threads: [HTML] = []
    var size = 0
    for index in others.prefix(Self.mostThreads) where size < Self.threadBudget {
      let thread = self.thread(index)
      size += thread.markup.utf8.count
      threads.append(thread)
    }
    let left = Self.more(others.count - threads.count, "thread")
    return "\(threads)\(left.markup.isEmpty ? .none : "<p class=\"quiet\">\(left)</p>\n" as HTML)"
  }

  private func thread(_ index: Int) -> HTML {
    let thread = report.threads[index]
    let frames = Array(thread.frames.prefix(Self.mostFrames))
    let count = GroupText.count(thread.frames.count, "frame", "frames")
    let left = Self.more(thread.frames.count - frames.count, "frame")
    let rest: HTML = left.markup.isEmpty ? .none : "<p class=\"quiet\">\(left)</p>"
    guard isDetailed else {
      return """
        <details class="report"><summary>\(title(of: thread)) \
        <span class="quiet">\(count)</span></summary>
        \(list(frames, nil))\(rest)</details>

        """
    }
    // Its location: the app's own frame if there is one.
    let told = frames.first { $0.inApp == true } ?? frames.first
    let function: HTML =
      told.map { "<span class=\"mono\">\(FrameText($0, in: report).name)</span> " } ?? .none
    let registers: HTML =
      thread.registers.isEmpty
      ? .none
      : "<details><summary>\(GroupText.count(thread.registers.count, "register", "registers"))</summary>\(list(of: thread))</details>"
    return """
      <details class="report" id="t\(index)"><summary>\(title(of: thread)) \
      \(function)<span class="quiet">\(count)</span></summary>
      \(link("t\(index)", "this thread"))
      \(list(frames, "t\(index)"))\(rest)\(registers)</details>

      """
  }

  private func title(of thread: CrashThread) -> String {
    // Some tools write the thread's number as its name.
    let name = thread.name.flatMap { $0.isEmpty || $0 == "Thread \(thread.index)" ? nil : $0 }
    return "Thread \(thread.index)" + (name.map { " “\($0)”" } ?? "")
  }

  /// The facts of the report, one per line.
  package func facts(id: String) -> HTML {
    let facts = ReportFacts(of: report, id: id).rows.map { row -> HTML in
      "<dt>\(row.label)</dt><dd>\(row.value)</dd>"
    }
    return "<dl>\(facts)</dl>"
  }

  /// The registers of the thread that crashed; nothing if the report has none.
  package func registers() -> HTML {
    guard let thread = crashed.map({ report.threads[$0] }) else { return .none }
    let error: HTML =
      thread.lastError.map { "<p>Last error of the thread: <span class=\"mono\">\($0)</span></p>" }
      ?? .none
    let items: HTML =
      thread.registers.isEmpty
      ? .none
      : """
      <details><summary>\(thread.registers.count) of the thread that the report is about</summary>\
      \(list(of: thread))</details>
      """
    guard thread.lastError != nil || !thread.registers.isEmpty else { return .none }
    return "\(error)\(items)"
  }

  private func list(of thread: CrashThread) -> HTML {
    let items = thread.registers.prefix(Self.mostRegisters).map { register -> HTML in
      "<li class=\"mono\">\(register.name) 0x\(String(register.value, radix: 16))</li>"
    }
    let left = Self.more(thread.registers.count - items.count, "register")
    return
      "<ul class=\"registers\">\(items)\(left.markup.isEmpty ? .none : "<li>\(left)</li>" as HTML)</ul>"
  }

  /// The images that contain frames, and the state of their symbols.
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

  /// The notes, with a heading.
  package func notes() -> HTML {
    report.notes.isEmpty ? .none : "<h3>Notes</h3>\(noteList())"
  }

  package func noteList() -> HTML {
    let notes = report.notes.prefix(Self.mostNotes).map { "<li>\($0)</li>" as HTML }
    let left = Self.more(report.notes.count - notes.count, "note")
    let rest: HTML = left.markup.isEmpty ? .none : "<li>\(left)</li>"
    return notes.isEmpty ? .none : "<ul>\(notes)\(rest)</ul>"
  }
}

extension ReportFragment.Stack {
  /// Whether it ends with the calls of an earlier stack: an exception is often also on the stack of the thread
  /// that threw it. Between the throw and the app's own code, both may have other frames of the system.
  fileprivate func repeats(_ earlier: ReportFragment.Stack) -> Bool {
    let calls = earlier.frames.drop { $0.inApp == false }
    return !calls.isEmpty && frames.count >= calls.count
      && zip(frames.suffix(calls.count), calls).allSatisfy { $0.isSameCall(as: $1) }
  }
}

extension Frame {
  /// Whether a reader sees the same call: the same function at the same place, or the same address.
  fileprivate func isSameCall(as other: Frame) -> Bool {
    guard let function, function == other.function else {
      return function == nil && other.function == nil && address != nil && address == other.address
    }
    return file == other.file && line == other.line
      && (file != nil || address == other.address || address == nil || other.address == nil)
  }
}
