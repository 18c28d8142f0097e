import CrashModel
import CrashStore
import HTTP
import JSON
import Query
import ReportDocument

/// `…/errorGroups/:group/errors` and `…/errors/search`: reports as App Center has them.
struct AppCenterErrorsEndpoint {
  func list(_ call: AppCenterCall) throws -> Response {
    _ = try call.start()
    var query = ReportQuery(try call.query(["group:" + call.group().id.inQuery]))
    query.limit = try call.top()
    query.after = call[AppCenterCall.place]
    let page = try call.store.reports(query)
    return try call.list(next: page.next) { try write(page.items, call, to: &$0) }
  }

  func search(_ call: AppCenterCall) throws -> Response {
    try call.refuseFilter("filter")
    guard (call["sort"] ?? "timestamp") == "timestamp" else {
      throw HTTPError.refused(.badRequest, "sort is timestamp")
    }
    var query = ReportQuery(try call.query())
    query.isReversed = call["order"]?.lowercased() == "asc"
    let (top, skip) = try call.slice()
    query.limit = skip + top
    let page = try call.store.reports(query)
    return try call.found(isMore: page.next != nil) {
      try write(Array(page.items.dropFirst(skip)), call, to: &$0)
    }
  }

  private func write(
    _ reports: [ReportSummary], _ call: AppCenterCall, to writer: inout JSONWriter
  ) throws {
    writer.key("errors")
    writer.beginArray()
    for report in reports {
      let stored = try call.store.report(report.id)
      writer.write(stored, try stored.filed(), isDetailed: false)
    }
    writer.endArray()
  }

  func latest(_ call: AppCenterCall) throws -> Response {
    let group = try call.group()
    guard let newest = try call.store.recentReports(ofGroup: group.id, limit: 1).first else {
      throw StoreError.notFound("a report of \(group.id)")
    }
    let stored = try call.store.report(newest.id)
    return try .document { $0.write(stored, try stored.filed(), isDetailed: true) }
  }

  func show(_ call: AppCenterCall) throws -> Response {
    let stored = try call.report()
    return try .document { $0.write(stored, try stored.filed(), isDetailed: true) }
  }

  func remove(_ call: AppCenterCall) throws -> Response {
    let stored = try call.report()
    try call.store.remove(reports: [stored.summary.id], at: .now)
    try call.note("remove report", stored.summary.id)
    return try .document { writer in
      writer.beginObject()
      writer.member("appId", try call.appID())
      writer.member("errorGroupId", stored.summary.group)
      writer.member("errorId", stored.summary.id)
      writer.member("errorsDeleted", 1)
      writer.member("attachmentsDeleted", stored.attachments.count)
      writer.member("blobsSucceeded", stored.attachments.count)
      writer.member("blobsFailed", 0)
      writer.endObject()
    }
  }

  func stacktrace(_ call: AppCenterCall) throws -> Response {
    let filed = try call.report().filed()
    return .document { $0.writeStacktrace(of: filed.report) }
  }

  /// `format=json|txt`: what is known of the report, as a file.
  func download(_ call: AppCenterCall) throws -> Response {
    let stored = try call.report()
    let filed = try stored.filed()
    let name = "attachment; filename=\"\(stored.summary.id)"
    switch call["format"] ?? "json" {
    case "json":
      return .json(
        filed.report.document(id: filed.id, received: filed.received),
        headers: ["Content-Disposition": name + ".json\""])
    case "txt":
      let lines = ReportText(isFull: true)
        .lines(for: filed.report, id: filed.id, group: stored.summary.group)
      return .text(
        lines.joined(separator: "\n") + "\n", headers: ["Content-Disposition": name + ".txt\""])
    default: throw HTTPError.refused(.badRequest, "format is json or txt")
    }
  }

  func location(_ call: AppCenterCall) throws -> Response {
    let id = try call.report().summary.id
    return .document { writer in
      writer.beginObject()
      writer.member("uri", call.address(["api", "v1", "reports", id, "raw"]))
      writer.endObject()
    }
  }
}
