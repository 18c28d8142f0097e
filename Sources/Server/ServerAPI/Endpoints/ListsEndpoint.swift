internal import APIDocuments
internal import CrashService
internal import CrashStore
internal import Documents
package import HTTP
internal import Identifiers
internal import JSON
internal import Query
internal import Rendering
internal import ReportDocument
package import ServerCore
internal import TriageModel

/// Lists and pages in the format of the commands' `--json`.
package struct ListsEndpoint {
  package let context: ServerContext

  package func apps(_ request: Request) throws -> Response {
    let paging = try ListPaging(request)
    return .page(paging.page(of: try service(request).apps(), key: \.name)) { $0.write($1) }
  }

  package func fields() -> Response { .list(QueryField.all) { $0.write($1) } }

  /// Returns a service limited to what the caller may see.
  private func service(_ request: Request) throws -> any CrashService {
    try context.service(for: request.head)
  }

  // MARK: Lists

  package func groups(_ request: Request) throws -> Response {
    try .refusing {
      var query = GroupQuery(try asked(request))
      if let key = sort(request, GroupOrder.self) {
        query.order = key.order.order
        query.isReversed = key.isReversed
      }
      query.limit = limit(request) ?? APILimits.list.usual
      (query.after, query.before) = (request.query["after"], request.query["before"])
      if let days = request.query["days"].flatMap({ Int($0) }) { query.changeDays = days }
      return .page(try service(request).groups(query)) { $0.write($1) }
    }
  }

  package func reports(_ request: Request) throws -> Response {
    try .refusing {
      var query = ReportQuery(try asked(request))
      if let key = sort(request, ReportOrder.self) {
        query.order = key.order.order
        query.isReversed = key.isReversed
      }
      query.limit = limit(request) ?? APILimits.list.usual
      (query.after, query.before) = (request.query["after"], request.query["before"])
      return .page(try service(request).reports(query)) { $0.write($1) }
    }
  }

  /// Returns the values of a field, with the number of reports and groups of each.
  package func counts(_ request: Request, ofGroups: Bool) throws -> Response {
    try .refusing {
      guard let field = request.query["by"].flatMap({ QueryField(named: $0) }), field.isCountable
      else {
        let names = QueryField.all.filter(\.isCountable).map(\.name).joined(separator: ", ")
        return .problem(
          .badRequest, "by must be one of \(names)", code: .invalidParameter, parameter: "by")
      }
      let histogram = try service(request).histogram(
        of: try asked(request), by: field, countsGroups: ofGroups, limit: limit(request))
      return .document { $0.write(histogram) }
    }
  }

  private func asked(_ request: Request) throws -> Query {
    try context.query(of: request)
  }

  // The router has checked the parameters against the route's declaration.

  private func sort<Order>(_ request: Request, _ type: Order.Type) -> SortKey<Order>? {
    request.query["sort"].flatMap { SortKey(argument: $0) }
  }

  private func limit(_ request: Request) -> Int? { request.query["limit"].flatMap { Int($0) } }

  private func day(_ request: Request, _ name: String) -> Int? {
    request.query[name].flatMap { Timestamp(day: $0) }.map { TrendWindow.day($0) }
  }

  // MARK: One of them

  package func group(_ request: Request) throws -> Response {
    try .refusing {
      let answer = try service(request).group(
        request.parameters["id"] ?? "", sourceLines: sourceLines(request))
      return .document { $0.write(answer) }
    }
  }

  package func keys(_ request: Request) throws -> Response {
    try .refusing {
      .list(try service(request).keys(ofGroup: request.parameters["id"] ?? "")) { $0.write($1) }
    }
  }

  package func variants(_ request: Request) throws -> Response {
    try .refusing {
      let variants = try service(request).variants(ofGroup: request.parameters["id"] ?? "")
      return .document { $0.write(variants) }
    }
  }

  package func related(_ request: Request) throws -> Response {
    try .refusing {
      .list(
        try service(request).related(
          toGroup: request.parameters["id"] ?? "",
          includesDistinct: request.query["distinct"] == "true")
      ) { $0.write($1) }
    }
  }

  package func relatedToReport(_ request: Request) throws -> Response {
    try .refusing {
      .list(try service(request).related(toReport: request.parameters["id"] ?? "")) {
        $0.write($1)
      }
    }
  }

  package func report(_ request: Request) throws -> Response {
    try .refusing {
      let stored = try service(request).report(
        request.parameters["id"] ?? "", sourceLines: sourceLines(request))
      return .document { stored.write(to: &$0) }
    }
  }

  private func sourceLines(_ request: Request) -> Int? {
    request.query["source"].flatMap { Int($0) }
  }

  /// Returns a report's versions from before it was reprocessed.
  package func versions(_ request: Request) throws -> Response {
    try .refusing {
      let versions = try service(request).versions(ofReport: request.parameters["id"] ?? "")
      return .document { $0.write(versions) }
    }
  }

  package func version(_ request: Request) throws -> Response {
    try .refusing {
      guard let number = request.parameters["number"].flatMap({ Int($0) }) else {
        return .problem(.notFound, "versions are counted from 1")
      }
      let stored = try service(request).document(
        ofReport: request.parameters["id"] ?? "", version: number)
      return .document { stored.write(to: &$0) }
    }
  }

  /// Returns all data of a report in one zip file.
  package func archive(_ request: Request) throws -> Response {
    try .refusing {
      .bytes(
        try service(request).archive(ofReport: request.parameters["id"] ?? ""),
        type: "application/zip",
        headers: Self.saved)
    }
  }

  /// Returns how a report got into its group.
  package func membership(_ request: Request) throws -> Response {
    try .refusing {
      let (app, membership) = try service(request).membership(
        ofReport: request.parameters["id"] ?? "")
      return .document { $0.write(ReportGroup(app: app, membership)) }
    }
  }

  // A browser must not run content that an app sent.
  private static let saved: Headers = ["Content-Disposition": "attachment"]

  package func raw(_ request: Request) throws -> Response {
    try .refusing {
      .bytes(
        try service(request).submission(ofReport: request.parameters["id"] ?? ""),
        type: "application/octet-stream", headers: Self.saved)
    }
  }

  package func attachment(_ request: Request) throws -> Response {
    try .refusing {
      let report = try service(request).report(request.parameters["id"] ?? "", sourceLines: nil)
      let (_, bytes) = try service(request).attachment(request.parameters["name"] ?? "", of: report)
      return .bytes(bytes, type: "application/octet-stream", headers: Self.saved)
    }
  }

  // MARK: Debug files

  package func debugFiles(_ request: Request) throws -> Response {
    try .refusing {
      let paging = try ListPaging(request)
      let files = try service(request).debugFiles()
      return .page(
        paging.page(of: files) { "\($0.digest) \($0.debugID) \($0.kind) \($0.architecture)" }
      ) {
        $0.write($1)
      }
    }
  }

  package func missing(_ request: Request) throws -> Response {
    try .refusing {
      let paging = try ListPaging(request)
      let query = try request.query["query"].map { _ in try context.query(of: request) }
      let (images, _) = try service(request).missingImages(
        of: query, app: request.query["app"], limit: nil)
      let page = paging.page(of: images) { image in
        [image.debugID?.description, image.codeID?.description, image.name].compactMap(\.self)
          .joined(separator: " ")
      }
      return .page(page) { $0.write($1) }
    }
  }

  // MARK: Figures

  package func stats(_ request: Request) throws -> Response {
    try .refusing {
      let stats = try service(request).stats(of: request.query["app"])
      return .document { $0.write(stats) }
    }
  }

  package func ledger(_ request: Request) throws -> Response {
    try .refusing {
      let ledger = try service(request).ledger(of: request.query["app"])
      return .document { $0.write(ledger) }
    }
  }

  package func sessions(_ request: Request) throws -> Response {
    try .refusing {
      let (first, last) = (day(request, "from"), day(request, "to"))
      let figures = try service(request).crashFree(
        of: request.query["app"], from: first.map(TrendWindow.midnight),
        to: last.map(TrendWindow.midnight), version: request.query["version"])
      return .page(try ListPaging(request).page(of: figures, key: \.app)) {
        $0.write($1)
      }
    }
  }

  package init(context: ServerContext) {
    self.context = context
  }
}
