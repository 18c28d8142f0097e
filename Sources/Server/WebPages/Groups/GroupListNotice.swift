internal import HTTP
internal import Rendering

/// The result of the list's last form, shown once: it is only in the address to which the form redirects, not
/// in the page's links.
struct GroupListNotice {
  enum Done: String {
    case resolve, ignore, reopen, assign, unassign, merge, change
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
      case .change, .nothing: "changed"
      }
    }
  }

  /// The maximum number of groups in one form.
  static let most = 200

  let done: Done
  /// The number of groups.
  let count: Int

  init(_ done: Done, count: Int) {
    self.done = done
    self.count = count
  }

  /// Reads the result from the address; `nil` if it has none.
  init?(_ items: QueryItems) {
    guard let done = items["done"].flatMap(Done.init(rawValue:)) else { return nil }
    let count = items["count"].flatMap { Int($0) } ?? 0
    guard done == .nothing || (1...Self.most).contains(count) else { return nil }
    self.init(done, count: count)
  }

  /// - Parameter list: The address of the list, without a fragment.
  func address(after list: String) -> String {
    guard !list.contains("#") else { return list }
    let item = done == .nothing ? "done=none" : "done=\(done.rawValue)&count=\(count)"
    return list + (list.contains("?") ? "&" : "?") + item
  }

  var message: HTML {
    done == .nothing
      ? "<p class=\"message\" role=\"alert\">Select at least one group.</p>"
      : """
      <p class="message" role="status">\(PageText.count(count, "group", "groups")) \(done.words)</p>
      """
  }
}
