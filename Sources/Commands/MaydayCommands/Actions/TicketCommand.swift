import Arguments
import CommandSupport
import CrashService
import CrashStore
import TriageModel

/// `mayday ticket`
struct TicketCommand: Command {
  static let name = "ticket"
  static let summary = "Link groups to an issue in a tracker."
  static let discussion = """
    `mayday show` and the group's page show the issue and whether it is closed. A server that has a token \
    of the app's tracker reads that by itself: see `mayday apps set --tracker`.
    """
  static let examples = [
    Example("mayday ticket TERN-12 https://github.com/acme/tern/issues/7", "An issue about it."),
    Example(
      "mayday ticket TERN-12 https://github.com/acme/tern/issues/7 --closed", "It was closed."),
    Example("mayday ticket TERN-12 --none", "Remove the link."),
  ]

  @Argument("ID... URL", help: "Group ids, followed by the address of the issue.")
  var words: [String]
  @Flag("--closed", help: "The issue is closed.") var isClosed
  @Flag("--none", help: "Remove the link; omit URL.") var isNone
  @OptionGroup var options = ActionOptions()

  private var ids: [String] { isNone ? words : Array(words.dropLast()) }

  func validate() throws(UsageError) {
    if isNone && isClosed { throw UsageError("use either --closed or --none") }
    if ids.isEmpty {
      throw UsageError("URL is missing: give the address of an issue after the groups, or --none")
    }
    for word in ids where !GroupName.isOne(word) {
      throw UsageError("'\(word)' is not a group")
    }
  }

  func run() throws {
    let url = isNone ? nil : words.last
    let ticket = url.map { GroupTicket(url: $0, state: isClosed ? .closed : .open) }
    try options.decide(.ticket(ticket), about: ids)
  }
}
