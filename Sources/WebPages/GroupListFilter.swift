internal import CrashService
internal import HTTP
internal import Query
internal import WebServer

/// What a list of groups shows: everything of it stands in the address.
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

  /// How far back a list may look, in the order of the choices.
  static let spans = [
    ("24h", "24 hours"), ("7d", "7 days"), ("30d", "30 days"), ("90d", "90 days"),
  ]

  var text: String
  var tab: Tab
  var version: String
  var system: String
  var span: String
  var order: GroupOrder
  var after: String?

  init(_ items: QueryItems) {
    text = items["q"] ?? ""
    tab = items["status"].flatMap(Tab.init(rawValue:)) ?? .open
    version = items["version"] ?? ""
    system = items["os"] ?? ""
    span = items["last"] ?? ""
    order = items["sort"].flatMap(GroupOrder.init(rawValue:)) ?? .lastSeen
    after = items["after"]
  }

  /// Whether anything is left out.
  var isNarrow: Bool {
    !text.isEmpty || !version.isEmpty || !system.isEmpty || !span.isEmpty
  }

  /// In the language of queries.
  func query(of tab: Tab) -> String {
    var parts = [text]
    if !version.isEmpty { parts.append("version:" + Self.quoted(version)) }
    if !system.isEmpty { parts.append("os:" + Self.quoted(system)) }
    if Self.spans.contains(where: { $0.0 == span }) { parts.append("last:<" + span) }
    if let condition = tab.condition { parts.append(condition) }
    return parts.filter { !$0.isEmpty }.joined(separator: " ")
  }

  private static func quoted(_ value: String) -> String {
    "\"" + value.filter { $0 != "\"" && $0 != "\\" } + "\""
  }

  /// The address of the same list with something else.
  func address(_ change: (inout GroupListFilter) -> Void) -> String {
    var other = self
    other.after = nil
    change(&other)
    let items: [(String, String)] = [
      ("q", other.text), ("status", other.tab == .open ? "" : other.tab.rawValue),
      ("version", other.version), ("os", other.system), ("last", other.span),
      ("sort", other.order == .lastSeen ? "" : other.order.rawValue), ("after", other.after ?? ""),
    ]
    let query = items.filter { !$0.1.isEmpty }.map { "\($0.0)=\($0.1.inAddress)" }
    return query.isEmpty ? "/" : "/?" + query.joined(separator: "&")
  }
}
