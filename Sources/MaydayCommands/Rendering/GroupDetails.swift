import CrashModel
import CrashStore
import JSON

/// A group for a person at a terminal, above the report that stands for it.
struct GroupDetails {
  var width = 80
  var styles = Styles.plain

  func lines(for group: GroupSummary) -> [String] {
    let title = group.id.printable + "  " + group.signature.text.printable
    var lines = title.lines(of: width).map(styles.strong)
    var rows = [("State", group.state.rawValue), ("Reports", String(group.reports))]
    if let installs = group.installs { rows.append(("Installs", String(installs))) }
    rows.append(("Seen", GroupText.days(group.firstSeen, group.lastSeen)))
    rows.append(("Versions", GroupText.versions(group.versions, atMost: 8)))
    for (label, value) in rows where !value.isEmpty {
      lines += value.lines(of: width - 12).enumerated().map { number, line in
        styles.dim((number == 0 ? "  " + label : "").padded(to: 12)) + line
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
