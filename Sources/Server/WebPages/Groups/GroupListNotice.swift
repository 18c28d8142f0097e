internal import HTTP
internal import Rendering
internal import ServerCore
internal import ServerStore

/// The result of the list's last form, shown once: it is only in the address to which the form redirects, not
/// in the page's links.
struct GroupListNotice {
  enum Done: String {
    case resolve, ignore, reopen, assign, unassign, merge, undo, change
    /// No group was selected.
    case nothing = "none"

    fileprivate var words: String {
      switch self {
      case .resolve: "resolved"
      case .ignore: "ignored"
      case .reopen: "reopened"
      case .assign: "assigned"
      case .unassign: "unassigned"
      case .merge: "merged"
      case .undo: "as before"
      case .change, .nothing: "changed"
      }
    }
  }

  /// The maximum number of groups in one form.
  static let most = 200
  /// The maximum number of links to groups.
  private static let mostLinks = 20

  let done: Done
  /// The number of groups.
  let count: Int
  /// The changes, to undo them.
  let changes: [GroupChange]

  init(_ done: Done, count: Int, changes: [GroupChange] = []) {
    self.done = done
    self.count = count
    self.changes = changes
  }

  /// Reads the result from the address; `nil` if it has none.
  init?(_ items: QueryItems) {
    guard let done = items["done"].flatMap(Done.init(rawValue:)) else { return nil }
    let count = items["count"].flatMap { Int($0) } ?? 0
    guard done == .nothing || (1...Self.most).contains(count) else { return nil }
    let changes = (items["changed"] ?? "").split(separator: ",").prefix(Self.most)
      .compactMap { GroupChange(String($0)) }
    self.init(done, count: count, changes: Array(changes))
  }

  /// - Parameter list: The address of the list, without a fragment.
  func address(after list: String) -> String {
    guard !list.contains("#") else { return list }
    var item = done == .nothing ? "done=none" : "done=\(done.rawValue)&count=\(count)"
    if !changes.isEmpty { item += "&changed=" + changes.map(\.text).joined(separator: ",") }
    return list + (list.contains("?") ? "&" : "?") + item
  }

  /// The result, with links to the groups and a button that undoes it.
  func message(for call: PageCall) -> HTML {
    guard done != .nothing else {
      return "<p class=\"message\" role=\"alert\">Select at least one group.</p>"
    }
    return """
      <div class="message done"><span role="status">\(PageText.count(count, "group", "groups")) \(done.words)\
      \(links)</span>\(undo(call))</div>
      """
  }

  private var links: HTML {
    var seen: Set<String> = []
    let groups = changes.map(\.group).filter { seen.insert($0).inserted }
    let links = groups.prefix(Self.mostLinks).enumerated().map { index, group -> HTML in
      "\(index == 0 ? ": " : ", ")<a href=\"/groups/\(group.inAddress)\">\(group)</a>"
    }
    let rest = groups.count - links.count
    return "\(links)\(rest > 0 ? " and \(PageText.number(rest)) more" : "")"
  }

  private func undo(_ call: PageCall) -> HTML {
    guard done != .undo, !changes.isEmpty, call.visitor.account.allows(.triage) else {
      return .none
    }
    let filter = GroupListFilter(call.request.query)
    let fields = changes.map { change -> HTML in
      "<input type=\"hidden\" name=\"change\" value=\"\(change.text)\">"
    }
    return """
       <form method="post" action="/groups">\(call.formField)\
      <input type="hidden" name="back" value="\(filter.address { ($0.after, $0.before) = (filter.after, filter.before) })">\
      \(fields)<button name="action" value="undo">Undo</button></form>
      """
  }
}
