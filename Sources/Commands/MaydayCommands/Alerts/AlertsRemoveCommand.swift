import Arguments
import Bytes
import CommandSupport
import CrashService
import ServerStore
import Terminal

/// `mayday alerts remove`
struct AlertsRemoveCommand: Command {
  static let name = "remove"
  static let summary = "Remove rules by their numbers, or targets by their names."
  static let examples = [
    Example("mayday alerts remove 3", "Remove rule 3 and its unsent alerts."),
    Example("mayday alerts remove team", "Remove a target that no rule uses."),
  ]

  @Argument("RULE|TARGET", help: "A number or a name, from `mayday alerts list`.") var names:
    [String]
  @OptionGroup var home = ServiceOptions()
  @OptionGroup var messages = MessageOptions()

  func run() throws {
    let alerts = try home.alerts()
    for name in names {
      if let number = Int(name) {
        try alerts.removeAlertRule(number)
        messages.console.say("Rule \(number) is removed")
      } else {
        try alerts.removeAlertTarget(name)
        messages.console.say("\(name.printable) is removed")
      }
    }
  }
}
