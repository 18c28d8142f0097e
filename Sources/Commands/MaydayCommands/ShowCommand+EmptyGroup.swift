import Bytes
import CommandSupport
import CrashModel
import CrashService
import CrashStore
import Rendering
import Terminal
import TriageModel

/// A group whose reports were all removed: its counts remain.
extension ShowCommand {
  func printWithoutReports(_ answer: GroupOverview) throws {
    let console = output.console
    let group = answer.group
    let details = GroupDetails(width: console.readableWidth, styles: console.styles)
    let title = "\(group.id.printable)  \(group.signature.text.printable)"
    let lines =
      title.lines(of: console.readableWidth, atMost: 3).map(console.styles.strong)
      + ["", "All of its reports were removed."]
      + details.lines(for: group, history: answer.history)
    try console.write(lines: lines)
  }
}
