internal import CrashService
internal import CrashStore
internal import Identifiers
internal import Rendering
internal import ServerCore
internal import ServerStore
internal import TriageModel

/// Forms for decisions about a group.
struct GroupDecisions {
  let call: PageCall
  let overview: GroupOverview
  let related: [RelatedGroup]
  let ticket: GroupTicketView

  /// The number of releases to choose from.
  private static let mostReleases = 20
  /// The number of related groups to choose from.
  private static let mostRelated = 5

  private var group: GroupSummary { overview.group }
  /// The hidden fields of each form.
  private var hidden: HTML {
    "\(call.formField)\(MeanwhileChanges.field(overview.history.last?.number ?? 0))"
  }

  func forms() throws -> HTML {
    guard call.visitor.account.allows(.triage) else { return .none }
    let isOpen = group.state == .open || group.state == .regressed
    return """
      <div class="actions">\(isOpen ? try resolve() : form("Reopen", "reopen"))\(isOpen ? ignore : .none)
      \(try assign())
      \(note)
      \(ticket.menu)
      \(merge)
      \(split)
      \(undo)
      </div>
      """
  }

  private func resolve() throws -> HTML {
    let form = address("resolve")
    func mark(_ value: String, else isChosen: Bool = false) -> HTML {
      call.mark(" checked", "how", value, in: form, else: isChosen)
    }
    let names = try call.service.releases(of: group.app).suffix(Self.mostReleases).reversed()
      .map(\.release.name)
    let releases = names.map { "<option value=\"\($0)\">" as HTML }
    return menu(
      "Resolve", "resolve",
      """
      <p><label><input type="radio" name="how" value="seen"\(mark("seen", else: true))> now: fixed in releases after the newest one it was seen in</label></p>
      <p><label><input type="radio" name="how" value="next"\(mark("next"))> in the next release</label></p>
      <p><label><input type="radio" name="how" value="in"\(mark("in"))> in release</label> \
      <input name="in" value="\(call.typed("in", in: form))" aria-label="Release" placeholder="\(names.first ?? "2.4.1")" list="releases" data-choice>\
      <datalist id="releases">\(releases)</datalist></p>
      <p class="quiet">A report from a release with the fix reopens the group as regressed.</p>
      """)
  }

  private var ignore: HTML {
    let form = address("ignore")
    return menu(
      "Ignore", "ignore",
      """
      <p><label>for <input name="for" value="\(call.typed("for", in: form))" placeholder="30d"></label></p>
      <p><label>until <input name="until" value="\(call.typed("until", in: form))" inputmode="numeric" placeholder="100"> more reports</label></p>
      <p><label>until <input name="users" value="\(call.typed("users", in: form))" inputmode="numeric" placeholder="10"> more users are affected</label></p>
      <p class="quiet">The first condition that is met reopens the group. Leave all empty to ignore it for good.</p>
      """)
  }

  private func assign() throws -> HTML {
    let me = call.visitor.account.name
    let form = address("assign")
    let menu = try AssigneeMenu(for: call, apps: [group.app], chosen: group.assignee).markup()
    let nobody: HTML =
      group.assignee == nil ? .none : "<button name=\"to\" value=\"\">Unassign</button>"
    return """
      <details class="menu"\(call.open(form))><summary class="button">Assign</summary><div class="card">
      <form method="post" action="\(form)">\(hidden)\
      <p><label>to \(menu)</label> <button class="primary">Assign</button></p></form>
      <form method="post" action="\(form)">\(hidden)\
      <p><button name="to" value="\(me)">Assign to me</button> \(nobody)</p></form></div></details>
      """
  }

  private var note: HTML {
    menu(
      "Note", "note",
      """
      <p><label>Note<br><textarea name="text" rows="4" required>\(call.typed("text", in: address("note")))</textarea></label></p>
      """)
  }

  private var merge: HTML {
    let others = related.filter { $0.app == group.app && !$0.isDistinct }
    let form = address("merge")
    let choices = others.prefix(Self.mostRelated).map { other -> HTML in
      """
      <p><label><input type="radio" name="related" value="\(other.id)"\(call.mark(" checked", "related", other.id, in: form, else: false))> \(other.id) \
      <span class="quiet breaks">\(other.title)</span></label></p>

      """
    }
    return menu(
      "Merge", "merge",
      """
      \(choices.isEmpty ? .none : "<fieldset><legend>into a related group</legend>\(Array(choices))</fieldset>")
      <p><label>\(choices.isEmpty ? "into" : "or into") <input name="into" value="\(call.typed("into", in: form))" placeholder="\(example)"></label></p>
      <p class="quiet">Its reports will count for that group, which keeps its status. Undo separates them again.</p>
      """)
  }

  /// The id of another group of the app, as an example.
  private var example: String {
    guard let dash = group.id.lastIndex(of: "-") else { return "TERN-12" }
    return group.id[..<dash] + "-12"
  }

  /// A form that leads to a preview of the split.
  private var split: HTML {
    """
    <details class="menu"><summary class="button">Split</summary>
    <form class="card" action="\(address("split"))">
    <p><label>off reports that match <input name="where" placeholder="version:2.4.*" data-where></label></p>
    <p><button class="primary">Preview</button></p></form></details>
    """
  }

  private var undo: HTML {
    let last = overview.history.last {
      $0.isAction && $0.undone == nil && $0.event != "undone" && $0.group == group.id
    }
    guard let last else { return .none }
    return """
      <form method="post" action="\(address("undo"))">\(hidden)\
      <input type="hidden" name="line" value="\(last.number)">\
      <button title="#\(last.number): \(last.event) \(last.detail)">Undo</button></form>
      """
  }

  private func address(_ action: String) -> String { "/groups/\(group.id.inAddress)/\(action)" }

  private func menu(_ title: String, _ action: String, _ fields: HTML) -> HTML {
    """
    <details class="menu"\(call.open(address(action)))><summary class="button">\(title)</summary>
    <form class="card" method="post" action="\(address(action))">\(hidden)
    \(fields)<p><button class="primary">\(title)</button></p></form></details>
    """
  }

  private func form(_ title: String, _ action: String) -> HTML {
    """
    <form method="post" action="\(address(action))">\(hidden)<button>\(title)</button></form>
    """
  }
}
