import Alerts
import Arguments
import Bytes
import CommandSupport
import ServerStore
import Terminal

/// `mayday alerts test`
struct AlertsTestCommand: Command {
  static let name = "test"
  static let summary = "Send a sample to targets and print their responses."
  static let examples = [Example("mayday alerts test team", "Check that the channel gets alerts.")]

  @Argument("NAME", help: "The name of the target.") var names: [String]
  @OptionGroup var home = HomeOptions()

  func run() throws {
    let alerts = AlertsTable(in: try ServerStore(opening: home.existingFolder()))
    var failed: [String] = []
    for name in names {
      do {
        let (isSent, answer) = try AlertRound.test(name, in: alerts)
        try Console(colour: .never)
          .write("\(name.printable): \(isSent ? "sent" : "failed"), \(answer.printable)\n")
        if !isSent { failed.append(name) }
      } catch let error as AlertError {
        throw CommandFailure(error)
      }
    }
    if !failed.isEmpty {
      throw CommandFailure("not sent: \(failed.joined(separator: ", "))".printable, .failed)
    }
  }
}
