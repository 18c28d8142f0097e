internal import CrashService
internal import HTTP
internal import Query
internal import ServerCore
internal import TriageModel

/// The state of the list of groups. All of it is in the address, and the search is one query.
struct GroupListFilter {
  /// A tab above the list.
  enum Tab: String, CaseIterable {
    case open, regressed, resolved, ignored, all

    var condition: String? {
      switch self {
      case .open: "is:open|regressed"
      case .all: nil
      default: "is:" + rawValue
      }
    }

    /// The states of its groups; `nil` for all.
    var states: Set<GroupState>? {
      switch self {
      case .open: [.open, .regressed]
      case .regressed: [.regressed]
      case .resolved: [.resolved]
      case .ignored: [.ignored]
      case .all: nil
      }
    }

    /// The number of its groups.
    func count(_ groups: [GroupState: Int]) -> Int {
      groups.reduce(0) { $0 + (states?.contains($1.key) == false ? 0 : $1.value) }
    }

    var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
  }

  /// A menu next to the search that edits a condition in the query.
  enum Menu: String, CaseIterable {
    case app, version, os, time

    var title: String {
      switch self {
      case .app: "App"
      case .version: "Release"
      case .os: "System"
      case .time: "Time"
      }
    }

    fileprivate func condition(_ value: String) -> String {
      self == .time ? "time:" + value : QueryWords.condition(rawValue, value)
    }
  }

  /// The choices of the time menu, in order.
  static let spans = [
    ("<24h", "24 hours", 1), ("<7d", "7 days", 7), ("<30d", "30 days", 30), ("<90d", "90 days", 90),
  ]

  var text: String
  var tab: Tab
  var order: GroupOrder
  /// Whether the order is ascending.
  var isUp: Bool
  /// The cursor after which the page begins, or before which it ends.
  var after: String?
  var before: String?
  /// Whether the request differs from the canonical address of this list.
  let isRewritten: Bool

  init(_ items: QueryItems) {
    var words = QueryWords(items["q"] ?? "")
    for menu in Menu.allCases {
      // An unchanged menu does not override the typed query.
      guard let value = items[menu.rawValue], value != items["was-" + menu.rawValue] ?? ""
      else { continue }
      words.set(menu.rawValue, to: value.isEmpty ? nil : menu.condition(value))
    }
    isRewritten = Menu.allCases.contains { items[$0.rawValue] != nil }
    text = words.text
    tab = items["status"].flatMap(Tab.init(rawValue:)) ?? .open
    let order = items["sort"].flatMap(GroupOrder.init(rawValue:)) ?? .lastSeen
    self.order = order
    // A newly chosen order starts with the highest values.
    let former = items["was-sort"] ?? order.rawValue
    isUp = items["up"] == "1" && former == order.rawValue
    after = items["after"]
    before = after == nil ? items["before"] : nil
  }

  /// Whether the list is filtered.
  var isNarrow: Bool { !text.isEmpty }

  /// The value that a menu shows; empty if the query has no condition in the menu's format.
  func chosen(_ menu: Menu) -> String { QueryWords(text)[menu.rawValue] ?? "" }

  /// Whether the query has conditions other than those of these menus.
  func asksForMore(than menus: [Menu]) -> Bool {
    var words = QueryWords(text)
    for menu in menus { words.set(menu.rawValue, to: nil) }
    return !words.words.isEmpty
  }

  /// Whether the time menu has a choice: the charts then show its days.
  private var span: Int? { Self.spans.first { $0.0 == chosen(.time) }?.2 }

  /// The number of days in charts.
  var days: Int { span ?? 30 }

  /// The number of days that changes compare with those before: a day alone says little.
  var changeDays: Int { max(7, days) }

  /// Whether the query has a condition on the time of reports other than the menu's.
  var hasOwnTimes: Bool { span == nil && !chosen(.time).isEmpty }

  /// The list's query, including its tab.
  func query(of tab: Tab) -> String {
    [text, tab.condition ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The address of this list with a change.
  func address(_ change: (inout GroupListFilter) -> Void) -> String {
    var other = self
    (other.after, other.before) = (nil, nil)
    change(&other)
    let items: [(String, String)] = [
      ("q", other.text), ("status", other.tab == .open ? "" : other.tab.rawValue),
      ("sort", other.order == .lastSeen ? "" : other.order.rawValue), ("up", other.isUp ? "1" : ""),
      ("after", other.after ?? ""), ("before", other.before ?? ""),
    ]
    let query = items.filter { !$0.1.isEmpty }.map { "\($0.0)=\($0.1.inAddress)" }
    return query.isEmpty ? "/" : "/?" + query.joined(separator: "&")
  }
}
