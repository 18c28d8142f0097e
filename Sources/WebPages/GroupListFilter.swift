internal import CrashService
internal import HTTP
internal import Query
internal import WebServer

/// What a list of groups shows: everything of it stands in the address, and what is searched for in one query.
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

    var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
  }

  /// A menu beside the search, which writes a condition into the query.
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

  /// How far back reports count, in the order of the choices.
  static let spans = [
    ("<24h", "24 hours", 1), ("<7d", "7 days", 7), ("<30d", "30 days", 30), ("<90d", "90 days", 90),
  ]

  var text: String
  var tab: Tab
  var order: GroupOrder
  /// Whether the least come first.
  var isUp: Bool
  var after: String?
  /// Whether what was asked for is written otherwise than the address of this list.
  let isRewritten: Bool

  init(_ items: QueryItems) {
    var words = QueryWords(items["q"] ?? "")
    for menu in Menu.allCases {
      // A menu that nobody touched does not overrule what was typed.
      guard let value = items[menu.rawValue], value != items["was-" + menu.rawValue] ?? ""
      else { continue }
      words.set(menu.rawValue, to: value.isEmpty ? nil : menu.condition(value))
    }
    isRewritten = Menu.allCases.contains { items[$0.rawValue] != nil }
    text = words.text
    tab = items["status"].flatMap(Tab.init(rawValue:)) ?? .open
    order = items["sort"].flatMap(GroupOrder.init(rawValue:)) ?? .lastSeen
    isUp = items["up"] == "1"
    after = items["after"]
  }

  /// Whether anything is left out.
  var isNarrow: Bool { !text.isEmpty }

  /// What a menu shows; empty where the query has no condition that it could have written.
  func chosen(_ menu: Menu) -> String { QueryWords(text)[menu.rawValue] ?? "" }

  /// Whether the query has conditions besides those of these menus.
  func asksForMore(than menus: [Menu]) -> Bool {
    var words = QueryWords(text)
    for menu in menus { words.set(menu.rawValue, to: nil) }
    return !words.words.isEmpty
  }

  /// The days of charts.
  var days: Int { Self.spans.first { $0.0 == chosen(.time) }?.2 ?? 30 }

  /// In the language of queries.
  func query(of tab: Tab) -> String {
    [text, tab.condition ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The address of the same list with something else.
  func address(_ change: (inout GroupListFilter) -> Void) -> String {
    var other = self
    other.after = nil
    change(&other)
    let items: [(String, String)] = [
      ("q", other.text), ("status", other.tab == .open ? "" : other.tab.rawValue),
      ("sort", other.order == .lastSeen ? "" : other.order.rawValue), ("up", other.isUp ? "1" : ""),
      ("after", other.after ?? ""),
    ]
    let query = items.filter { !$0.1.isEmpty }.map { "\($0.0)=\($0.1.inAddress)" }
    return query.isEmpty ? "/" : "/?" + query.joined(separator: "&")
  }
}
