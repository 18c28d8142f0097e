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

  /// The number of releases to choose from.
  private static let mostReleases = 20

  private var group: GroupSummary { overview.group }

  func forms() throws -> HTML {
    guard call.visitor.account.allows(.triage) else { return .none }
    let isOpen = group.state == .open || group.state == .regressed
    return """
      <div class="actions">\(isOpen ? try resolve() : form("Reopen", "reopen"))\(isOpen ? ignore : .none)
      \(assign)
      \(note)
      \(merge)
      \(split)
      \(undo)
      </div>
      """
  }

  private func resolve() throws -> HTML {
    let releases = try call.service.releases(of: group.app).suffix(Self.mostReleases).reversed()
      .map { "<option value=\"\($0.release.name)\">" as HTML }
    return menu(
      "Resolve", "resolve",
      """
      <p><label><input type="radio" name="how" value="seen" checked> now: fixed in releases after the newest one it was seen in</label></p>
      <p><label><input type="radio" name="how" value="next"> in the next release</label></p>
      <p><label><input type="radio" name="how" value="in"> in release</label> \
      <input name="in" aria-label="Release" placeholder="2.4.1" list="releases">\
      <datalist id="releases">\(Array(releases))</datalist></p>
      <p class="quiet">A report from a release with the fix reopens the group as regressed.</p>
      """)
  }

  private var ignore: HTML {
    menu(
      "Ignore", "ignore",
      """
      <p><label>for <input name="for" placeholder="30d"></label></p>
      <p><label>until <input name="until" inputmode="numeric" placeholder="100"> more reports</label></p>
      <p><label>until <input name="users" inputmode="numeric" placeholder="10"> more people are affected</label></p>
      <p class="quiet">The first condition that is met reopens the group. Leave all empty to ignore it for good.</p>
      """)
  }

  private var assign: HTML {
    let me = call.visitor.account.name
    let nobody: HTML =
      group.assignee == nil ? .none : "<button name=\"to\" value=\"\">Unassign</button>"
    return """
      <details class="menu"><summary class="button">Assign</summary><div class="card">
      <form method="post" action="\(address("assign"))">\(call.formField)\
      <p><label>to <input name="to" value="\(group.assignee ?? "")"></label> <button class="primary">Assign</button></p></form>
      <form method="post" action="\(address("assign"))">\(call.formField)\
      <p><button name="to" value="\(me)">Assign to me</button> \(nobody)</p></form></div></details>
      """
  }

  private var note: HTML {
    menu(
      "Note", "note",
      "<p><label>Note<br><textarea name=\"text\" rows=\"4\" required></textarea></label></p>")
  }

  private var merge: HTML {
    let others = related.filter { $0.app == group.app && !$0.isDistinct }.map {
      "<option value=\"\($0.id)\">\($0.title)</option>" as HTML
    }
    return menu(
      "Merge", "merge",
      """
      <p><label>into <input name="into" placeholder="TERN-12" list="related" required></label>\
      <datalist id="related">\(others)</datalist></p>
      <p class="quiet">Its reports will count for that group, which keeps its status. Undo separates them again.</p>
      """)
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
      <form method="post" action="\(address("undo"))">\(call.formField)\
      <input type="hidden" name="line" value="\(last.number)">\
      <button title="#\(last.number): \(last.event) \(last.detail)">Undo</button></form>
      """
  }

  private func address(_ action: String) -> String { "/groups/\(group.id.inAddress)/\(action)" }

  private func menu(_ title: String, _ action: String, _ fields: HTML) -> HTML {
    """
    <details class="menu"><summary class="button">\(title)</summary>
    <form class="card" method="post" action="\(address(action))">\(call.formField)
    \(fields)<p><button class="primary">\(title)</button></p></form></details>
    """
  }

  private func form(_ title: String, _ action: String) -> HTML {
    """
    <form method="post" action="\(address(action))">\(call.formField)<button>\(title)</button></form>
    """
  }
}
