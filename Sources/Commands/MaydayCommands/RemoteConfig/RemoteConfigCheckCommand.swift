import Arguments
import Bytes
import Terminal
import Updates

/// `mayday remote-config check`
struct RemoteConfigCheckCommand: Command {
  static let name = "check"
  static let summary = "Check whether every client could decode a document."
  static let discussion = """
    Needs neither a home nor a server. If the document is invalid, prints the position and exits \
    with 2.
    """
  static let examples = [
    Example("mayday remote-config check tern.json", "Check it before it is published.")
  ]

  @Argument("FILE", help: "The document; - is standard input.") var file: String
  @OptionGroup var messages = MessageOptions()

  func run() throws {
    let document = try RemoteConfiguration(file: file)
    let name = file == "-" ? "standard input" : file.printable
    var facts = ["\(document.kind.rawValue), version \(document.availableVersion.printable)"]
    if !document.alerts.isEmpty {
      facts.append("alerts for " + document.alerts.map(\.languageName).joined(separator: ", "))
    }
    messages.console.say("\(name): \(facts.joined(separator: "; "))")
    for version in document.ignoredOSVersions where version.utf8.count == 1 {
      messages.console.say("warning: '\(version)' covers \(version)0 to \(version)9, too")
    }
  }
}
