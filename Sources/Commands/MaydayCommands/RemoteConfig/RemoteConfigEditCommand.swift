import Arguments
import Bytes
import CrashService
import CrashStore
import Terminal
import Updates

/// `mayday remote-config edit`
struct RemoteConfigEditCommand: Command {
  static let name = "edit"
  static let summary = "Change the update that a document announces; the rest of it stays."
  static let discussion = """
    An alert is 'de: Update | Tern 1.4.2 ist da. | Später | Laden': a language, a title, a text and \
    buttons. The last button leads to the update, the others close the alert. The language is de, \
    en-US, or any for an alert without one; write a bar as \\|. The alert replaces one of the same \
    language, or is added. A client uses the alert of its language and region, otherwise the last one \
    of its language, otherwise the first one.

    An app without a document gets one.
    """
  static let examples = [
    Example(
      "mayday remote-config edit Tern --type mandatory --ignore-os 12",
      "All users must update, except on iOS 12."),
    Example("mayday remote-config edit Tern --remove-alert de", "Remove the German text."),
  ]

  @Argument("APP", help: "The app.") var app: String
  @Option("--type", help: "What clients do: nothing, show an alert, or insist.", value: "TYPE")
  var kind: RemoteConfiguration.Kind?
  @Option("--frequency", help: "How often an update is recommended.", value: "WHEN")
  var frequency: RemoteConfiguration.Frequency?
  @Option("--available", help: "The version on offer.", value: "VERSION") var version: String?
  @Option("--url", help: "What the update button opens.", value: "URL") var url: String?
  @Option(
    "--ignore-os",
    help: "System versions with this prefix need no mandatory update; '' for none.",
    value: "VERSION")
  var systems: [String] = []
  @Option("--alert", help: "A text for users of a language.", value: "ALERT")
  var alerts: [String] = []
  @Option("--remove-alert", help: "Remove the text of a language; * for all.", value: "LANGUAGE")
  var removed: [String] = []
  @Option(
    "--follow-releases", help: "Whether to offer the newest public release, not the document's.",
    value: "yes|no")
  var follows: FollowChoice?
  @OptionGroup var options = RemoteConfigChangeOptions()

  func validate() throws(UsageError) {
    if try edit().isEmpty && follows == nil {
      throw UsageError("nothing to change: give --type, --available, --url, --alert ...")
    }
  }

  func run() throws {
    let change = try options.change(of: app, followsReleases: follows)
    try options.print(options.home.service().edit(edit(), change))
  }

  private func edit() throws(UsageError) -> RemoteConfigurationEdit {
    var edit = RemoteConfigurationEdit()
    edit.kind = kind
    edit.frequency = frequency
    edit.availableVersion = version
    edit.url = url
    if !systems.isEmpty { edit.ignoredOSVersions = systems == [""] ? [] : systems }
    for text in alerts {
      guard let alert = RemoteConfiguration.Alert(text) else {
        throw UsageError(
          "--alert: '\(text.printable)' is not LANGUAGE: TITLE | TEXT | BUTTON | BUTTON")
      }
      edit.alerts.append(alert)
    }
    edit.removedAlerts = removed
    return edit
  }
}
