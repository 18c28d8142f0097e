internal import Bytes
package import CrashModel
internal import CrashService

/// A report for a person at a terminal: the reason first, then the thread that crashed.
package struct ReportText {
  package var width = 80
  package var styles = Styles.plain
  /// Whether every frame of every thread is shown, nothing folded.
  package var isFull = false

  package init(width: Int = 80, styles: Styles = .plain, isFull: Bool = false) {
    self.width = width
    self.styles = styles
    self.isFull = isFull
  }

  /// The maximum number of lines of a message, unless everything is shown.
  private static let mostMessageLines = 12
  private static let mostTags = 12

  /// The parts of a report in reading order: why, where, and the rest.
  package struct Parts {
    /// Why the process died, with its messages.
    package var reason: [String]
    /// The stacks of the crash, each below its heading and an empty line.
    package var stacks: [String]
    /// Other threads, images, tags and notes.
    package var rest: [String]

    package init(reason: [String], stacks: [String], rest: [String]) {
      self.reason = reason
      self.stacks = stacks
      self.rest = rest
    }
  }

  package func parts(of report: CrashReport) -> Parts {
    var stacks: [String] = []
    if let exception = report.reason.exception, !exception.frames.isEmpty {
      stacks += ["", styles.strong("Thrown at:")] + stack(exception.frames, of: report)
    }
    stacks += causes(of: report) + crashedThread(of: report)
    for stack in report.otherStacks {
      stacks += [""] + stack.title.printable.lines(of: width - 1).map(styles.strong)
      stacks += self.stack(stack.frames, of: report)
    }
    var rest = fault(of: report) + otherThreads(of: report) + images(of: report)
    rest += values(report.tags.map { ($0.key.description, $0.value) }, "Tags:")
    rest += values(report.properties.map { ($0.key, $0.value) }, "Properties:")
    if !report.notes.isEmpty {
      rest += ["", styles.strong("Notes:")]
      rest += report.notes.flatMap { bullet($0.printable) }
    }
    let headline = report.headline.printable.lines(of: width).map(styles.danger)
    return Parts(reason: headline + messages(of: report), stacks: stacks, rest: rest)
  }

  /// - Parameter address: The address of the report's page, where a server has one.
  package func lines(
    for report: CrashReport, id: String? = nil, group: String? = nil, address: String? = nil
  ) -> [String] {
    let parts = parts(of: report)
    // In one piece, to be copied.
    let link = address.map { ["  " + styles.dim($0.printable)] } ?? []
    return parts.reason + [""] + link + facts(of: report, id: id, group: group) + parts.stacks
      + parts.rest
  }

  /// The stacks of the crash alone.
  package func stackLines(of report: CrashReport) -> [String] {
    Array(parts(of: report).stacks.drop { $0.isEmpty })
  }

  private func messages(of report: CrashReport) -> [String] {
    report.details.flatMap { text -> [String] in
      let all = text.printableLines.flatMap { $0.isEmpty ? [""] : $0.lines(of: width) }
      guard !isFull, all.count > Self.mostMessageLines else { return all }
      return all.prefix(Self.mostMessageLines)
        + [styles.dim("… \(all.count - Self.mostMessageLines) more lines")]
    }
  }

  /// Returns the memory accesses of the faulting instruction, and addresses that a flipped bit may have
  /// changed.
  private func fault(of report: CrashReport) -> [String] {
    guard isFull, let fault = report.reason.fault else { return [] }
    var lines: [String] = []
    if !fault.accesses.isEmpty {
      lines += ["", styles.strong("Memory accesses:")]
      lines += fault.accesses.map { access in
        let size = access.size.map { " of \(GroupText.count($0, "byte", "bytes"))" } ?? ""
        let operand = access.operand.map { "  " + $0.printable } ?? ""
        let page = access.isGuardPage ? "  guard page" : ""
        return ("  \(access.kind.rawValue)\(size) at \(access.address)" + page + operand)
          .truncated(to: width)
      }
    }
    if !fault.bitFlips.isEmpty {
      lines += ["", styles.strong("Possible bit flips:")]
      lines += fault.bitFlips.map { flip in
        let register = flip.register.map { " in " + $0.printable.truncated(to: 8) } ?? ""
        return "  \(flip.address)\(register)" + styles.dim("  confidence \(flip.confidence)")
      }
    }
    return lines
  }

  /// - Parameter isBelowGroup: Whether the report is shown below its group, which shows the rest.
  package func facts(
    of report: CrashReport, id: String?, group: String? = nil, isBelowGroup: Bool = false
  ) -> [String] {
    let rows = ReportFacts(of: report, id: id, group: group, hasTags: false).rows
      .filter { !isBelowGroup || $0.label != "Signature" }
    let indent = min(18, (rows.map(\.label.columns).max() ?? 0)) + 4
    return rows.flatMap { row in
      let label = "  " + row.label.truncated(to: indent - 4)
      return row.value.lines(of: width - indent, atMost: isFull ? .max : 4).enumerated()
        .map { number, line in
          styles.dim((number == 0 ? label : "").padded(to: indent)) + line
        }
    }
  }

  private func causes(of report: CrashReport) -> [String] {
    var lines: [String] = []
    var causes = report.reason.exception?.inner ?? []
    while !causes.isEmpty && lines.count < 1000 {
      let cause = causes.removeFirst()
      let title = [cause.type, cause.message].compactMap { $0?.printable }.joined(separator: ": ")
      lines += [""] + ("Caused by: " + title).lines(of: width, atMost: 4).map(styles.strong)
      lines += stack(cause.frames, of: report)
      causes = cause.inner + causes
    }
    return lines
  }

  private func crashedThread(of report: CrashReport) -> [String] {
    guard let index = report.crashedThread, report.threads.indices.contains(index) else {
      return []
    }
    let thread = report.threads[index]
    let end = report.threadHeadingEnd + ":"
    return ["", styles.strong(title(of: thread, before: end) + end)]
      + stack(thread.frames, of: report) + (isFull ? registers(of: thread) : [])
  }

  private func otherThreads(of report: CrashReport) -> [String] {
    let crashed = report.crashedThread.flatMap {
      report.threads.indices.contains($0) ? $0 : nil
    }
    let others = report.threads.indices.filter { $0 != crashed }
    guard !others.isEmpty else { return [] }
    if isFull || crashed == nil {
      return others.flatMap { index in
        ["", styles.strong(title(of: report.threads[index]) + ":")]
          + stack(report.threads[index].frames, of: report)
      }
    }
    var lines = ["", styles.strong("Other threads:")]
    lines += others.prefix(12).map { summary(of: report.threads[$0], in: report) }
    if others.count > 12 { lines.append(styles.dim("  … \(others.count - 12) more threads")) }
    return lines
  }

  /// - Parameter end: The text after it on the same line.
  private func title(of thread: CrashThread, before end: String = "") -> String {
    let title = "Thread \(thread.index)"
    guard let name = thread.name, !name.isEmpty else { return title }
    let room = width - title.columns - max(24, end.columns + 3)
    return title + " “\(name.printable.truncated(to: max(4, room)))”"
  }

  private func summary(of thread: CrashThread, in report: CrashReport) -> String {
    let own = thread.frames.first { $0.inApp == true }
    let frame = (own ?? thread.frames.first).map { FrameText($0, in: report).name } ?? "no frames"
    let count = thread.frames.count
    let head = "  " + title(of: thread)
    let tail = " (\(count) \(count == 1 ? "frame" : "frames"))"
    let room = max(10, width - head.columns - tail.columns - 2)
    // A thread with a very long name leaves room for the location.
    let cut = head.truncated(to: width - tail.columns - 2 - min(room, frame.columns))
    return cut + "  " + frame.truncated(to: room) + styles.dim(tail)
  }

  private func registers(of thread: CrashThread) -> [String] {
    let error =
      thread.lastError.map { ["", "  Last error: \($0.printable)".truncated(to: width)] } ?? []
    var lines = error
    if !thread.registers.isEmpty { lines += [""] + cells(thread.registers) }
    for (index, frame) in thread.frames.enumerated() where !frame.registers.isEmpty {
      lines += ["", "  Known of frame \(index)"] + cells(frame.registers)
    }
    return lines
  }

  private func cells(_ registers: [Register]) -> [String] {
    let cells = registers.map { register in
      let value = String(register.value, radix: 16)
      let zeros = String(repeating: "0", count: max(0, 16 - value.count))
      let name = register.name.printable.truncated(to: 6).padded(to: 6, right: true)
      return "\(name) 0x\(zeros + value)"
    }
    let columns = max(1, (width - 2) / 27)
    return stride(from: 0, to: cells.count, by: columns).map { start in
      "  " + cells[start..<min(start + columns, cells.count)].joined(separator: "  ")
    }
  }

  private func images(of report: CrashReport) -> [String] {
    let summary = ImageSummary(of: report)
    guard !summary.used.isEmpty else { return [] }
    let rest = summary.total - summary.used.count
    var lines = ["", styles.strong("Images with frames:")]
    lines += ImageTable(summary: summary, styles: styles).lines(width: width, indent: 2)
    if rest > 0 { lines.append(styles.dim("  … \(rest) more without frames")) }
    lines += ImageVerdicts(width: width).lines(for: summary.used)
    return lines
  }

  /// Further facts of the format or the app.
  private func values(_ values: [(key: String, value: String)], _ title: String) -> [String] {
    guard !values.isEmpty else { return [] }
    let sorted = values.sorted { $0.key < $1.key }
    let shown = isFull ? sorted.count : Self.mostTags
    let indent = min(28, sorted.map(\.key.printable.columns).max() ?? 0) + 4
    var lines = ["", styles.strong(title)]
    for (name, value) in sorted.prefix(shown) {
      let label = "  " + name.printable.truncated(to: indent - 4)
      let text = value.printable.lines(of: width - indent, atMost: isFull ? .max : 2)
      lines += (text.isEmpty ? [""] : text).enumerated().map { number, line in
        styles.dim((number == 0 ? label : "").padded(to: indent)) + line
      }
    }
    if sorted.count > shown { lines.append(styles.dim("  … \(sorted.count - shown) more")) }
    return lines
  }

  private func stack(_ frames: [Frame], of report: CrashReport) -> [String] {
    StackText(report: report, width: width, styles: styles, isFull: isFull).lines(frames)
  }

  private func bullet(_ text: String) -> [String] {
    text.lines(of: width - 4).enumerated().map { ($0 == 0 ? "  - " : "    ") + $1 }
  }
}
