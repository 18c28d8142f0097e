internal import Bytes
internal import CrashService
package import CrashStore
internal import Identifiers
package import TriageModel

/// The decisions of people about a group and their results, as parts of its page.
package struct GroupDetails {
  package var width = 80
  package var styles = Styles.plain

  package init(width: Int = 80, styles: Styles = .plain) {
    self.width = width
    self.styles = styles
  }

  /// The maximum number of history lines; older ones are left out.
  private static let mostEvents = 20
  /// The maximum number of columns of an author.
  private static let widestAuthor = 12

  /// Returns the status and assignee; empty if nothing was decided.
  package func status(of group: GroupSummary) -> [String] {
    var facts: [String] = []
    if let time = group.status.time {
      facts.append("\(group.status.words) (since \(Self.minute(time)))")
    }
    if let assignee = group.assignee { facts.append("assigned to \(assignee)") }
    if let ticket = group.ticket { facts.append("ticket \(ticket.url) (\(ticket.state))") }
    if !group.merged.isEmpty { facts.append("with \(group.merged.joined(separator: ", "))") }
    return facts.flatMap { fact in
      let words = (fact.first?.uppercased() ?? "") + fact.dropFirst()
      return words.printable.lines(of: width - 2, atMost: 4).map { "  " + $0 }
    }
  }

  /// - Parameter history: Oldest first.
  package func lines(for group: GroupSummary, history: [GroupEvent]) -> [String] {
    notes(in: history) + events(history, of: group)
  }

  private func notes(in history: [GroupEvent]) -> [String] {
    let notes = history.filter { $0.event == "noted" && $0.undone == nil }
    guard !notes.isEmpty else { return [] }
    return ["", styles.strong("Notes")]
      + notes.flatMap { note -> [String] in
        let head = "  \(Self.minute(note.time))  \(note.author.printable)  #\(note.number)"
        let text = note.detail.printableLines.flatMap { line in
          line.isEmpty ? [""] : line.lines(of: width - 4).map { "    " + $0 }
        }
        return [styles.dim(head)] + text
      }
  }

  private func events(_ history: [GroupEvent], of group: GroupSummary) -> [String] {
    // The merged group's line already shows that a part was merged.
    let history = history.filter {
      $0.group == group.id || $0.isAction || !["merged", "unmerged"].contains($0.event)
    }
    guard !history.isEmpty else { return [] }
    let shown = history.suffix(Self.mostEvents)
    let number = shown.map { "#\($0.number)".columns }.max() ?? 0
    let author = min(Self.widestAuthor, shown.map(\.author.printable.columns).max() ?? 0)
    var lines = ["", styles.strong("History")]
    if history.count > shown.count {
      lines.append(styles.dim("  … \(history.count - shown.count) earlier"))
    }
    for event in shown {
      let head =
        "  " + "#\(event.number)".padded(to: number) + "  \(Self.minute(event.time))  "
        + event.author.printable.truncated(to: author).padded(to: author) + "  "
      let room = max(20, width - head.columns)
      for (number, line) in Self.words(for: event, of: group).lines(of: room, atMost: 3)
        .enumerated()
      {
        let text = event.undone == nil ? line : styles.dim(line)
        lines.append(
          (number == 0 ? styles.dim(head) : String(repeating: " ", count: head.columns)) + text)
      }
    }
    return lines
  }

  private static func words(for event: GroupEvent, of group: GroupSummary) -> String {
    var text = event.event
    // A note is shown above in full.
    let detail =
      event.event == "noted" ? event.noteStart.printable.truncated(to: 40) : event.detail
    if !detail.isEmpty { text += (event.isAction ? " " : ": ") + detail }
    if event.group != group.id { text = "\(event.group) " + text }
    if let undone = event.undone { text += " (undone by #\(undone))" }
    return text.printable
  }

  /// `2026-03-02 10:11`
  private static func minute(_ time: Timestamp) -> String {
    String(ReportFacts.time(time).prefix(16))
  }
}
