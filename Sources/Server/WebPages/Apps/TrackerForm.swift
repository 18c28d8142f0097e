internal import Bytes
internal import CrashService
internal import CrashStore
internal import HTTP
internal import Rendering
internal import ServerCore
internal import ServerStore
internal import TriageModel

/// The form for the tracker in which issues about an app's groups are written.
struct TrackerForm {
  let call: PageCall
  let app: AppRecord

  private var isAdmin: Bool { call.visitor.account.allows(.admin) }

  var form: HTML {
    let off: HTML = isAdmin ? .none : " disabled"
    let path = AppsView.path(app.name) + "/tracker"
    let kinds = TicketTracker.Kind.allCases.map { kind -> HTML in
      let mark = call.mark(
        " selected", "kind", kind.rawValue, in: path, else: kind == (app.tracker?.kind ?? .github))
      let name = kind == .other ? "another" : kind.name
      return "<option value=\"\(kind.rawValue)\"\(mark)>\(name)</option>"
    }
    func number(_ name: String, _ label: String, _ value: Int?) -> HTML {
      """
      <label><span>\(label)</span><input name="\(name)" inputmode="numeric" \
      value="\(call.typed(name, in: path, else: value.map(String.init) ?? ""))" placeholder="any number" autocomplete="off"\(off)></label>
      """
    }
    let button: HTML = isAdmin ? "<p><button class=\"primary\">Save</button></p>" : .none
    return """
      <form class="card" method="post" action="\(path)">\(call.formField)
      <p class="quiet">The page of a group then offers a new issue, filled with its title, facts and stack. \(states)</p>
      <div class="fields"><label><span>Tracker</span><select name="kind"\(off)>\(kinds)</select></label>
      <label><span>Address of the project</span><input name="url" value="\(call.typed("url", in: path, else: app.tracker?.address ?? ""))" \
      placeholder="https://github.com/acme/app, or empty for none" autocomplete="off"\(off)></label>
      \(number("reports", "Suggest a ticket from this many reports on", app.tracker?.reports))
      \(number("users", "or from this many users on", app.tracker?.users))</div>
      \(button)</form>
      """
  }

  private var states: HTML {
    app.tracker?.token != nil
      ? "Whether issues are closed is read from it every few minutes."
      : """
      To read whether issues are closed, give a token on the server’s machine: \
      <code>mayday apps set \(app.name) --tracker-token-file FILE</code>.
      """
  }

  /// The tracker that the form describes; `nil` for none.
  func tracker() throws -> TicketTracker? {
    guard let address = call.text("url") else { return nil }
    guard let kind = call.form["kind"].flatMap(TicketTracker.Kind.init(rawValue:)) else {
      throw ServiceError("choose the kind of tracker", .wrongUsage)
    }
    return TicketTracker(
      kind, address.filter { !$0.isWhitespace }, reports: try call.count("reports"),
      users: try call.count("users"))
  }
}
