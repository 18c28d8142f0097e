import Bytes
import CrashModel
import CrashStore
import HTTP
import JSON
import Pipeline
import Query
import ReportDocument
import ServerStore

/// Lists and pages, as the commands print them with `--json`.
struct ListsEndpoint {
  let service: Service

  /// The most elements of a part of a list, and how many there are unless said.
  private static let limits = (most: 1_000, usual: 100)

  private var store: CrashStore { service.store }

  func apps(_ request: Request) throws -> Response { .list(try store.apps()) { $0.write($1) } }

  func fields() -> Response { .list(QueryField.all) { $0.write($1) } }

  func releases(_ request: Request) throws -> Response {
    try .refusing { .list(try store.releases(of: request.query["app"])) { $0.write($1) } }
  }

  func groups(_ request: Request) throws -> Response {
    try .refusing {
      let asked = try Query(request.query["query"] ?? "", now: .now)
      if let field = request.query["by"] { return try counts(asked, by: field, ofGroups: true) }
      var query = GroupQuery(asked)
      if let name = request.query["sort"] {
        guard
          let order = GroupQuery.Order(
            rawValue: name.hasPrefix("-") ? String(name.dropFirst()) : name)
        else {
          let names = GroupQuery.Order.allCases.map(\.rawValue).joined(separator: ", ")
          return .problem(
            .badRequest, "sort is one of \(names), with - before it for the other end")
        }
        query.order = order
        query.isReversed = name.hasPrefix("-")
      }
      query.limit = try limit(request)
      query.after = request.query["after"]
      return .page(try store.groups(query)) { writer, group in
        writer.beginObject()
        writer.writeMembers(of: group)
        writer.endObject()
      }
    }
  }

  func reports(_ request: Request) throws -> Response {
    try .refusing {
      let asked = try Query(request.query["query"] ?? "", now: .now)
      if let field = request.query["by"] { return try counts(asked, by: field, ofGroups: false) }
      var query = ReportQuery(asked)
      query.limit = try limit(request)
      query.after = request.query["after"]
      return .page(try store.reports(query)) { $0.write($1) }
    }
  }

  private func counts(_ query: Query, by name: String, ofGroups: Bool) throws -> Response {
    guard let field = QueryField(named: name), field.isCountable else {
      let names = QueryField.all.filter(\.isCountable).map(\.name).joined(separator: ", ")
      return .problem(.badRequest, "by is one of \(names)")
    }
    let counts = try store.counts(
      of: query, by: field, counting: ofGroups ? .groups : .reports, limit: Self.limits.most)
    return .document { writer in
      writer.beginArray()
      for count in counts.counts {
        writer.beginObject()
        writer.member("value", count.value)
        writer.member("count", count.count)
        writer.endObject()
      }
      writer.endArray()
    }
  }

  private func limit(_ request: Request) throws -> Int {
    guard let text = request.query["limit"] else { return Self.limits.usual }
    guard let limit = Int(text), (1...Self.limits.most).contains(limit) else {
      throw HTTPError.refused(.badRequest, "limit is 1 to \(Self.limits.most)")
    }
    return limit
  }

  func group(_ request: Request) throws -> Response {
    try .refusing {
      let group = try store.group(request.parameters["id"] ?? "")
      guard !group.exemplar.isEmpty else {
        return .document { writer in
          writer.beginObject()
          writer.writeMembers(of: group)
          writer.endObject()
        }
      }
      let exemplar = try store.report(group.exemplar).filed()
      let page = GroupPage(
        group: group, breakdown: try store.breakdown(ofGroup: group.id, now: .now),
        recent: try store.recentReports(ofGroup: group.id),
        history: try store.history(ofGroup: group.id),
        exemplar: exemplar, now: .now, width: 80, styles: Styles(isOn: false), isFull: false)
      return .document { $0.write(page) }
    }
  }

  func report(_ request: Request) throws -> Response {
    try .refusing {
      let stored = try store.report(request.parameters["id"] ?? "")
      let filed = try stored.filed()
      return .json(filed.report.document(id: filed.id, received: filed.received))
    }
  }

  func raw(_ request: Request) throws -> Response {
    try .refusing {
      let stored = try store.report(request.parameters["id"] ?? "")
      return .bytes(
        try store.submission(stored.submission), type: "application/octet-stream",
        headers: ["Content-Disposition": "attachment"])
    }
  }

  func attachment(_ request: Request) throws -> Response {
    try .refusing {
      let bytes = try store.attachment(
        request.parameters["name"] ?? "", of: try store.reportID(request.parameters["id"] ?? "")
      ).bytes
      // Whatever an app has sent, a browser must not run it.
      return .bytes(
        bytes, type: "application/octet-stream", headers: ["Content-Disposition": "attachment"])
    }
  }
}
