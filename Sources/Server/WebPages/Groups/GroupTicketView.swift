internal import CrashModel
internal import CrashService
internal import CrashStore
internal import HTTP
internal import Rendering
internal import ServerCore
internal import ServerStore
internal import TriageModel

/// The issue about a group: its link and state, and the form that sets it or writes a new one.
struct GroupTicketView {
  let call: PageCall
  let overview: GroupOverview
  let tracker: TicketTracker?

  private var group: GroupSummary { overview.group }
  private var mayDecide: Bool { call.visitor.account.allows(.triage) }

  init(_ call: PageCall, _ overview: GroupOverview) throws {
    self.call = call
    self.overview = overview
    tracker = try call.service.apps().first { $0.name == overview.group.app }?.tracker
  }

  /// The ticket, or the suggestion to write one, for the head of the page.
  var line: HTML {
    if let ticket = group.ticket {
      let state: HTML =
        ticket.state == .closed ? " <span class=\"tag\">closed</span>" : .none
      return "<p>Ticket: \(HTML.linked(ticket.url))\(state)</p>"
    }
    guard mayDecide, let tracker, tracker.suggests(group), let address = newIssue else {
      return .none
    }
    return """
      <p class="suggested">No ticket yet. <a href="\(address)" rel="noopener noreferrer">New issue at \
      \(tracker.kind.name)</a>, then enter its address under Ticket.</p>
      """
  }

  /// The menu with the form for the address.
  var menu: HTML {
    let new: HTML =
      newIssue.map { address in
        """
        <p><a class="button" href="\(address)" rel="noopener noreferrer">New issue at \(tracker?.kind.name ?? "")</a></p>
        """
      } ?? .none
    let action = "/groups/\(group.id.inAddress)/ticket"
    let url = call.typed("url", in: action, else: group.ticket?.url ?? "")
    let closed = call.mark(
      " checked", "closed", "1", in: action, else: group.ticket?.state == .closed)
    let removal: HTML =
      group.ticket == nil
      ? .none
      : """
      <form method="post" action="\(action)">\(call.formField)<p><button>Remove</button></p></form>
      """
    return """
      <details class="menu"\(call.open(action))><summary class="button">Ticket</summary><div class="card">\(new)
      <form method="post" action="\(action)">\(call.formField)
      <p><label>Address of the issue<br><input name="url" type="url" value="\(url)" \
      placeholder="\(example)" required></label></p>
      <p><label><input type="checkbox" name="closed" value="1"\(closed)> It is closed</label></p>
      <p><button class="primary">Save</button></p></form>\(removal)</div></details>
      """
  }

  private var example: String {
    guard let tracker else { return "https://github.com/acme/app/issues/7" }
    return TicketTracker.origin(of: tracker.address) + "/…"
  }

  /// The address of a new issue with the title, the facts and the stack.
  private var newIssue: String? {
    guard let tracker else { return nil }
    let link = call.request.head.origin + "/groups/" + group.id.inAddress
    let title = group.signature.text.isEmpty ? group.reason ?? group.id : group.signature.text
    var page = GroupPage(overview, now: call.now, width: 100, styles: .plain, isFull: false)
    page?.address = link
    return tracker.newIssue(
      title: "\(group.id): \(title)", body: page?.markdown() ?? link, link: link)
  }
}
