internal import Bytes
internal import CrashModel
package import CrashService
internal import Identifiers
internal import JSON

/// The changes of a report's reprocessing, as text.
package struct ReportChangeText {
  package var width = 80
  package var styles = Styles.plain
  /// Whether the frames of all threads are shown.
  package var isFull = false

  package init(width: Int = 80, styles: Styles = .plain, isFull: Bool = false) {
    self.width = width
    self.styles = styles
    self.isFull = isFull
  }

  private static let mostFrames = 12

  package func lines(for change: ReportChange) -> [String] {
    let of = change.count == 1 ? "what changed" : "change \(change.number) of \(change.count)"
    var lines = [styles.strong("Report \(change.report.printable): \(of)")]
    lines += row("When", String(change.time.description.prefix(16)).replacing("T", with: " "))
    lines += row("Why", why(change).printable)
    let diff = change.diff
    let texts = (diff.old.signature?.text ?? "none", diff.new.signature?.text ?? "none")
    lines += beforeAndAfter("Signature", texts.0, texts.1)
    lines += beforeAndAfter("Group", change.groups.old, change.groups.new)
    if let old = diff.old.engine?.version, let new = diff.new.engine?.version, old != new {
      lines += beforeAndAfter("Version", old, new)
    }
    lines += images(diff) + frames(diff)
    if diff.frames.isEmpty && diff.images.isEmpty && !diff.isSignatureChanged {
      lines += ["", "Functions, lines and images are as they were."]
    }
    return lines
  }

  private func why(_ change: ReportChange) -> String {
    guard !change.arrived.isEmpty else { return "it was reprocessed without new debug files" }
    let images = change.diff.new.images
    let names = change.arrived.map { id in
      let image = images.first { $0.debugID == id }
      return [image?.name, id.description].compactMap { $0 }.joined(separator: " ")
    }
    return "debug files arrived: " + names.joined(separator: ", ")
  }

  private func beforeAndAfter(_ label: String, _ old: String, _ new: String) -> [String] {
    guard old != new else { return row(label, old.printable + " (as before)") }
    let before = row(label, "- " + old.printable).map(styles.danger)
    return before + row("", "+ " + new.printable).map(styles.good)
  }

  private func images(_ diff: ReportDiff) -> [String] {
    guard !diff.images.isEmpty else { return [] }
    var lines = ["", styles.strong("Images:")]
    for change in diff.images {
      let (old, new) = (Self.status(change.old), Self.status(change.new))
      let id = change.image.debugID?.description ?? ""
      let status = old == new ? "\(new), other candidates" : "\(old) → \(new)"
      let tail = "  \(id)  \(status)"
      lines.append(
        "  " + change.image.name.printable.truncated(to: max(8, width - 2 - tail.columns)) + tail)
    }
    return lines
  }

  private static func status(_ status: SymbolStatus?) -> String {
    guard let status else { return "not looked for" }
    return status.isSymbolsOnly ? "functions only" : status.short
  }

  private func frames(_ diff: ReportDiff) -> [String] {
    guard !diff.frames.isEmpty else { return [] }
    let crashed = diff.new.crashedThread
    var lines: [String] = []
    let threads = Set(diff.frames.map(\.thread)).sorted { one, other in
      (one == crashed ? 0 : 1, one) < (other == crashed ? 0 : 1, other)
    }
    for (index, thread) in threads.enumerated() {
      let changes = diff.frames.filter { $0.thread == thread }
      guard isFull || index == 0 else {
        let rest = diff.frames.filter { $0.thread != threads[0] }
        let where_ = GroupText.count(threads.count - 1, "other thread", "other threads")
        lines.append(
          styles.dim("  … \(GroupText.count(rest.count, "place", "places")) in \(where_)"))
        break
      }
      let number = diff.new.threads[thread].index
      let crash = thread == crashed ? diff.new.threadClause : ""
      lines += ["", styles.strong("Frames of thread \(number)\(crash):")]
      let shown = isFull ? changes[...] : changes.prefix(Self.mostFrames)
      for change in shown { lines += self.lines(for: change, diff) }
      if changes.count > shown.count {
        let rest = GroupText.count(changes.count - shown.count, "more change", "more changes")
        lines.append(styles.dim("  … \(rest)"))
      }
    }
    return lines
  }

  private func lines(for change: ReportDiff.Change, _ diff: ReportDiff) -> [String] {
    change.old.enumerated().flatMap {
      line("-", change.oldIndex + $0, $1, diff.old).map(styles.danger)
    }
      + change.new.enumerated().flatMap {
        line("+", change.newIndex + $0, $1, diff.new).map(styles.good)
      }
  }

  private func line(
    _ mark: String, _ index: Int, _ frame: Frame, _ report: CrashReport
  ) -> [String] {
    let text = FrameText(frame, in: report)
    let head = "  \(mark) \(String(index).padded(to: 3, right: true))  "
    let name = text.name + (text.isInlined ? " (inlined)" : "")
    let beside = text.location ?? ""
    let room = width - head.columns
    if name.columns + beside.columns + 2 <= room {
      return [head + name + (beside.isEmpty ? "" : "  " + beside)]
    }
    let margin = String(repeating: " ", count: head.columns)
    let parts = name.lines(of: room, atMost: isFull ? .max : 2) + (beside.isEmpty ? [] : [beside])
    return parts.enumerated().map { ($0 == 0 ? head : margin) + $1.truncatedAtStart(to: room) }
  }

  private func row(_ label: String, _ value: String) -> [String] {
    value.lines(of: width - 13).enumerated().map { number, line in
      (number == 0 && !label.isEmpty ? "  " + label : "").padded(to: 13) + line
    }
  }
}
