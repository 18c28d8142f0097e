import Alerts
import Arguments
import Bytes
import CommandSupport
import CrashService
import ServerStore
import Terminal

/// `mayday alerts test`
struct AlertsTestCommand: Command {
  static let name = "test"
  static let summary = "Send a sample to targets and print their responses."
  static let examples = [Example("mayday alerts test team", "Check that the channel gets alerts.")]

  @Argument("NAME", help: "The name of the target.") var names: [String]
  @OptionGroup var home = ServiceOptions()

  func run() throws {
    let alerts = try home.alerts()
    var failed: [String] = []
    for name in names {
      let test = try alerts.testAlertTarget(name)
      try Console(colour: .never)
        .write("\(name.printable): \(test.isSent ? "sent" : "failed"), \(test.answer.printable)\n")
      if !test.isSent { failed.append(name) }
    }
    if !failed.isEmpty {
      throw CommandFailure("not sent: \(failed.joined(separator: ", "))".printable, .failed)
    }
  }
}
