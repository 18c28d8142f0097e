import CrashModel
import CrashStore
import JSON

/// What people did with a group and what became of it, as a part of its page.
struct GroupDetails {
  var width = 80
  var styles = Styles.plain

  /// Older lines of the history are left out.
  private static let mostEvents = 10

  /// - Parameter history: Oldest first.
  func lines(for group: GroupSummary, history: [GroupEvent]) -> [String] {
    guard !history.isEmpty else { return [] }
    let shown = history.suffix(Self.mostEvents)
    let author = min(12, shown.map(\.author.printable.columns).max() ?? 0)
    var lines = ["", styles.strong("History")]
    if history.count > shown.count {
      lines.append(styles.dim("  … \(history.count - shown.count) earlier"))
    }
    for event in shown {
      let time = String(ReportFacts.time(event.time).prefix(16))
      let head = "  \(time)  \(event.author.printable.truncated(to: author).padded(to: author))  "
      let text = "\(event.event.printable): \(event.detail.printable)"
      for (number, line) in text.lines(of: width - head.columns, atMost: 3).enumerated() {
        lines.append(
          (number == 0 ? styles.dim(head) : String(repeating: " ", count: head.columns)) + line)
      }
    }
    return lines
  }
}

extension JSONWriter {
  mutating func write(_ event: GroupEvent) {
    beginObject()
    member("time", event.time.description)
    member("author", event.author)
    member("event", event.event)
    member("detail", event.detail)
    endObject()
  }
}
