internal import Documents
internal import APIDocuments
internal import HTTP
internal import Rendering

/// Every route of the API, in the order of the description.
extension APIRoute {
  package static let all: [APIRoute] =
    GroupRoutes.all + ReportRoutes.all + AppRoutes.all + DebugFileRoutes.all + UploadRoutes.all
    + ArtefactRoutes.all + RemoteConfigurationRoutes.all + UpdateSettingsRoutes.all
    + FigureRoutes.all + TokenRoutes.all + MaintenanceRoutes.all + SelfRoutes.all
}

extension APIRoute.Parameter {
  static func asked(
    _ name: String, _ schema: APISchema, _ meaning: String, isRequired: Bool = false
  ) -> APIRoute.Parameter {
    APIRoute.Parameter(name: name, schema: schema, meaning: meaning, isRequired: isRequired)
  }

  static let narrowing = asked("query", .text(), "A query that limits the list; see /fields.")
  static let ofApp = asked("app", .text(), "Only this app.")
  static let sources = asked(
    "source", .integer(1...APILimits.sourceLines),
    "Lines of source to show per frame, where available.")
  static let limit = asked(
    "limit", .integer(1...APILimits.list.most), "Maximum number of items. Default: 100.")
  static let after = asked("after", .text(atLeast: 1), "The `next` value of the previous page.")
}

extension [APIRoute.Parameter] {
  /// The parameters of a paged list with a fixed order.
  static let pages: [APIRoute.Parameter] = [.limit, .after]

  /// The parameters of a paged list with the given orders.
  static func paging(_ orders: [String]) -> [APIRoute.Parameter] {
    [
      .narrowing, .limit, .after,
      .asked("sort", .choice(orders + orders.map { "-" + $0 }), "The order; - reverses it."),
    ]
  }
}

extension [APIRoute.Parameter] {
  /// The parameters of figures over time.
  static func trend(isRequired: Bool = false) -> [APIRoute.Parameter] {
    [
      .asked("from", .day, "The first day.", isRequired: isRequired),
      .asked("to", .day, "The last day.", isRequired: isRequired),
      .asked(
        "by", .choice(TrendPeriod.allCases.map(\.rawValue)),
        "The length of a period. Default: day. Weeks begin on Monday."),
    ]
  }
}

extension APIRoute.Answer {
  /// Returns the response with figures over time.
  static func trend(_ meaning: String, _ item: APISchema) -> APIRoute.Answer {
    .json(
      .ok, meaning,
      .object([
        .always("by", .choice(TrendPeriod.allCases.map(\.rawValue))),
        .maybe("from", .day, "The first day; absent if there are no items."),
        .maybe("to", .day, "The last day."), .always("items", .list(item)),
      ]))
  }

  static func list(_ name: String) -> APIRoute.Answer {
    .json(.ok, "The list.", .list(.named(name)))
  }

  static func page(_ name: String) -> APIRoute.Answer {
    .json(.ok, "A page of the list.", .page(name))
  }
}
