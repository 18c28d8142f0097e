internal import HTTP
internal import Rendering

/// What the last form of the list did, once: only the address to which the form leads says it, and no link of the
/// page does.
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

  /// The most groups that one form names.
  static let most = 200

  let done: Done
  /// How many groups.
  let count: Int

  init(_ done: Done, count: Int) {
    self.done = done
    self.count = count
  }

  /// `nil` where the address says nothing of the kind.
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
