import CrashModel
import CrashStore
import JSON

/// A group all of whose reports somebody removed: what it has counted is there still.
extension ShowCommand {
  func printWithoutReports(_ group: GroupSummary, from store: CrashStore) throws {
    let console = output.console
    let history = try store.history(ofGroup: group.id)
    guard output.json || form == .json else {
      let details = GroupDetails(width: console.readableWidth, styles: console.styles)
      let title = "\(group.id.printable)  \(group.signature.text.printable)"
      let lines =
        title.lines(of: console.readableWidth, atMost: 3).map(console.styles.strong)
        + ["", "All of its reports were removed."] + details.lines(for: group, history: history)
      return try console.write(lines: lines)
    }
    var writer = JSONWriter(pretty: true)
    writer.beginObject()
    writer.writeMembers(of: group)
    writer.key("history")
    writer.beginArray()
    for event in history { writer.write(event) }
    writer.endArray()
    writer.endObject()
    writer.newLine()
    try console.write(writer.takeBytes())
  }
}
