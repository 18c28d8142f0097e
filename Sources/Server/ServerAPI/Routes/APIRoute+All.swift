internal import Documents
internal import APIDocuments
internal import HTTP

/// Every route of the API, in the order of the description.
extension APIRoute {
  package static let all: [APIRoute] =
    GroupRoutes.all + ReportRoutes.all + AppRoutes.all + DebugFileRoutes.all + UploadRoutes.all
    + ArtefactRoutes.all + RemoteConfigurationRoutes.all + UpdateSettingsRoutes.all
    + FigureRoutes.all + TokenRoutes.all + AccountRoutes.all + AlertRoutes.all
    + MaintenanceRoutes.all + SelfRoutes.all
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

  /// - Parameter hasPrevious: Whether the list can be read backwards.
  static func page(_ name: String, hasPrevious: Bool = false) -> APIRoute.Answer {
    .json(.ok, "A page of the list.", .page(of: .named(name), hasPrevious: hasPrevious))
  }
}
