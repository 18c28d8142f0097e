package import Documents

/// A query parameter of the API.
package struct APIParameter: Sendable {
  package let name: String
  package let schema: APISchema
  package let meaning: String
  package let isRequired: Bool

  static func asked(
    _ name: String, _ schema: APISchema, _ meaning: String, isRequired: Bool = false
  ) -> APIParameter {
    APIParameter(name: name, schema: schema, meaning: meaning, isRequired: isRequired)
  }

  static let narrowing = asked("query", .text(), "A query that limits the list; see /fields.")
  static let ofApp = asked("app", .text(), "Only this app.")
  static let sources = asked(
    "source", .integer(1...APILimits.sourceLines),
    "Lines of source to show per frame, where available.")
  static let limit = asked(
    "limit", .integer(1...APILimits.list.most), "Maximum number of items. Default: 100.")
  static let after = asked("after", .text(atLeast: 1), "The `next` value of the previous page.")
  static let before = asked(
    "before", .text(atLeast: 1), "The `previous` value of the next page; `after` is then ignored.")
}

extension [APIParameter] {
  /// The parameters of a paged list with a fixed order.
  static let pages: [APIParameter] = [.limit, .after]

  /// The parameters of a paged list with the given orders, in both directions.
  static func paging(_ orders: [String]) -> [APIParameter] {
    [
      .narrowing, .limit, .after, .before,
      .asked("sort", .choice(orders + orders.map { "-" + $0 }), "The order; - reverses it."),
    ]
  }

  /// The parameters of figures over time.
  static func trend(isRequired: Bool = false) -> [APIParameter] {
    [
      .asked("from", .day, "The first day.", isRequired: isRequired),
      .asked("to", .day, "The last day.", isRequired: isRequired),
      .asked(
        "by", .choice(TrendPeriod.allCases.map(\.rawValue)),
        "The length of a period. Default: day. Weeks begin on Monday."),
    ]
  }
}
