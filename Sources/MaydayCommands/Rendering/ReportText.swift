import CrashModel

/// A report for a person at a terminal: the reason first, then the thread that crashed.
struct ReportText {
  var width = 80
  var styles = Styles.plain
  /// Whether every frame of every thread is shown, nothing folded.
  var isFull = false

  /// More lines of a message than these are left out, unless everything is shown.
  private static let mostMessageLines = 12

  func lines(
    for report: CrashReport, id: String? = nil, group: String? = nil
  ) -> [String] {
    var lines = report.headline.printable.lines(of: width).map(styles.danger)
    lines += messages(of: report)
    lines.append("")
    lines += facts(of: report, id: id, group: group)
    if let exception = report.reason.exception, !exception.frames.isEmpty {
      lines += ["", styles.strong("Thrown at:")] + stack(exception.frames, of: report)
    }
    lines += causes(of: report)
    lines += threads(of: report)
    for stack in report.otherStacks {
      lines += [""] + stack.title.printable.lines(of: width - 1).map(styles.strong)
      lines += self.stack(stack.frames, of: report)
    }
    lines += images(of: report)
    if !report.notes.isEmpty {
      lines += ["", styles.strong("Notes:")]
      lines += report.notes.flatMap { bullet($0.printable) }
    }
    return lines
  }

  private func messages(of report: CrashReport) -> [String] {
    report.reason.details.flatMap { text -> [String] in
      let all = text.printableLines.flatMap { $0.isEmpty ? [""] : $0.lines(of: width) }
      guard !isFull, all.count > Self.mostMessageLines else { return all }
      return all.prefix(Self.mostMessageLines)
        + [styles.dim("… \(all.count - Self.mostMessageLines) more lines")]
    }
  }

  private func facts(of report: CrashReport, id: String?, group: String?) -> [String] {
    let rows = ReportFacts(of: report, id: id, group: group, hasTags: isFull).rows
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

  private func threads(of report: CrashReport) -> [String] {
    var lines: [String] = []
    let crashed = report.crashedThread.flatMap {
      report.threads.indices.contains($0) ? $0 : nil
    }
    if let crashed {
      let thread = report.threads[crashed]
      lines += ["", styles.strong(title(of: thread) + " crashed:")]
      lines += stack(thread.frames, of: report)
      if isFull { lines += registers(of: thread) }
    }
    let others = report.threads.indices.filter { $0 != crashed }
    guard !others.isEmpty else { return lines }
    if isFull || crashed == nil {
      for index in others {
        lines += ["", styles.strong(title(of: report.threads[index]) + ":")]
        lines += stack(report.threads[index].frames, of: report)
      }
    } else {
      lines += ["", styles.strong("Other threads:")]
      lines += others.prefix(12).map { summary(of: report.threads[$0], in: report) }
      if others.count > 12 { lines.append(styles.dim("  … \(others.count - 12) more threads")) }
    }
    return lines
  }

  private func title(of thread: CrashThread) -> String {
    let title = "Thread \(thread.index)"
    guard let name = thread.name, !name.isEmpty else { return title }
    return title + " “\(name.printable.truncated(to: width - 30))”"
  }

  private func summary(of thread: CrashThread, in report: CrashReport) -> String {
    let own = thread.frames.first { $0.inApp == true }
    let frame = (own ?? thread.frames.first).map { FrameText($0, in: report).name } ?? "no frames"
    let count = thread.frames.count
    let head = "  " + title(of: thread)
    let tail = " (\(count) \(count == 1 ? "frame" : "frames"))"
    let room = width - head.columns - tail.columns - 2
    return head + "  " + frame.truncated(to: max(10, room)) + styles.dim(tail)
  }

  private func registers(of thread: CrashThread) -> [String] {
    guard !thread.registers.isEmpty else { return [] }
    let cells = thread.registers.map { register in
      let value = String(register.value, radix: 16)
      let zeros = String(repeating: "0", count: max(0, 16 - value.count))
      return "\(register.name.printable.padded(to: 6, right: true)) 0x\(zeros + value)"
    }
    let columns = max(1, (width - 2) / 27)
    return [""]
      + stride(from: 0, to: cells.count, by: columns).map { start in
        "  " + cells[start..<min(start + columns, cells.count)].joined(separator: "  ")
      }
  }

  private func images(of report: CrashReport) -> [String] {
    let summary = ImageSummary(of: report)
    guard !summary.used.isEmpty else { return [] }
    var table = TextTable([
      .text("IMAGE", .atEnd), .text("ARCH"), .number("FRAMES"), .text("SYMBOLS"),
      .text("DEBUG ID"),
    ])
    for entry in summary.used {
      let image = entry.image
      let verdict = image.symbols?.verdict
      table.add(
        [
          image.name.printable, image.architecture?.description.printable ?? "",
          String(entry.frames), verdict?.rawValue ?? "", image.debugID?.description ?? "",
        ],
        style: { [styles, isOwn = entry.isOwn] in
          verdict == .found ? $0 : isOwn ? verdict?.styled($0, styles) ?? $0 : styles.dim($0)
        })
    }
    let rest = summary.total - summary.used.count
    var lines = ["", styles.strong("Images with frames:")]
    lines += table.lines(width: width, styles: styles, indent: 2)
    if rest > 0 { lines.append(styles.dim("  … \(rest) more without frames")) }
    lines += ImageVerdicts(width: width).lines(for: summary.used)
    return lines
  }

  private func stack(_ frames: [Frame], of report: CrashReport) -> [String] {
    StackText(report: report, width: width, styles: styles, isFull: isFull).lines(frames)
  }

  private func bullet(_ text: String) -> [String] {
    text.lines(of: width - 4).enumerated().map { ($0 == 0 ? "  - " : "    ") + $1 }
  }
}
