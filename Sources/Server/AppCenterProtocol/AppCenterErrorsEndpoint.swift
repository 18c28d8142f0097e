internal import APIDocuments
internal import CrashModel
internal import CrashService
internal import CrashStore
internal import Documents
package import HTTP
internal import JSON
internal import Query
internal import Rendering
internal import ReportDocument
internal import ServerCore
internal import TriageModel

/// `…/errorGroups/:group/errors` and `…/errors/search`: reports as App Center has them.
package struct AppCenterErrorsEndpoint {
  package func list(_ call: AppCenterCall) throws -> Response {
    _ = try call.start()
    var query = ReportQuery(try call.query(["group:" + call.group().id.inQuery]))
    query.limit = try call.top()
    query.after = call[AppCenterCall.skipToken]
    let page = try call.store.reports.list(query)
    return try call.list(next: page.next) { try write(page.items, call, to: &$0) }
  }

  /// Searches reports. Times are sorted by the store; for other orders, the newest reports found are sorted
  /// as requested.
  package func search(_ call: AppCenterCall) throws -> Response {
    var query = ReportQuery(try call.query(search: .reports))
    let column = call["sort"] ?? "timestamp"
    let isUp = call["order"]?.lowercased() == "asc"
    let (top, skip) = try call.slice()
    let reports: [ReportSummary]
    let hasMore: Bool
    if column == "timestamp" {
      query.isReversed = isUp
      query.limit = skip + top
      let page = try call.store.reports.list(query)
      (reports, hasMore) = (Array(page.items.dropFirst(skip)), page.next != nil)
    } else if let key = Self.keys[column] {
      if column == "userId" { try call.check(.user) }
      query.limit = AppCenterCall.mostSorted
      var sorted = try call.store.reports.list(query).items.map { report in
        (report, key: key(report, try call.stored(call.store.reports.get(report.id)).report))
      }
      sorted.sort { isUp ? $0.key < $1.key : $0.key > $1.key }
      reports = sorted.dropFirst(skip).prefix(top).map(\.0)
      hasMore = sorted.count > skip + top
    } else {
      let names = ["timestamp"] + Self.keys.keys.sorted()
      throw HTTPError.refused(.badRequest, "sort must be one of " + names.joined(separator: ", "))
    }
    return try call.found(isMore: hasMore) { try write(reports, call, to: &$0) }
  }

  /// Columns that are read from each report.
  private static let keys: [String: @Sendable (ReportSummary, CrashReport) -> String] = [
    "errorGroupId": { summary, _ in summary.group },
    "exceptionClassName": { $1.appCenterReason?.className ?? "" },
    "exceptionFile": { $1.appCenterReason?.frame.file ?? "" },
    // Sorted as numbers.
    "exceptionLine": { _, report in
      let digits = "\(report.appCenterReason?.frame.line ?? 0)"
      return String(repeating: "0", count: max(0, 20 - digits.utf8.count)) + digits
    },
    "exceptionMessage": { $1.reason.exception?.message ?? $1.reason.message ?? "" },
    "exceptionMethod": { $1.appCenterReason?.method ?? "" },
    "deviceName": { $1.device.model ?? "" },
    "osVersion": { $1.os.version ?? "" },
    "userId": { $1.user ?? "" },
  ]

  private func write(
    _ reports: [ReportSummary], _ call: AppCenterCall, to writer: inout JSONWriter
  ) throws {
    writer.key("errors")
    writer.beginArray()
    for report in reports {
      let record = try call.store.reports.get(report.id)
      writer.write(record, try call.stored(record), isDetailed: false)
    }
    writer.endArray()
  }

  package func latest(_ call: AppCenterCall) throws -> Response {
    let group = try call.group()
    guard let newest = try call.store.groups.recentReports(ofGroup: group.id, limit: 1).first else {
      throw StoreError.notFound("a report of \(group.id)")
    }
    let record = try call.store.reports.get(newest.id)
    return try .document { $0.write(record, try call.stored(record), isDetailed: true) }
  }

  package func show(_ call: AppCenterCall) throws -> Response {
    let record = try call.report()
    return try .document { $0.write(record, try call.stored(record), isDetailed: true) }
  }

  package func remove(_ call: AppCenterCall) throws -> Response {
    let record = try call.report()
    try call.remove(record)
    return try .document { writer in
      writer.beginObject()
      writer.member("appId", try call.appID())
      writer.member("errorGroupId", record.summary.group)
      writer.member("errorId", record.summary.id)
      writer.member("errorsDeleted", 1)
      writer.member("attachmentsDeleted", record.attachments.count)
      writer.member("blobsSucceeded", record.attachments.count)
      writer.member("blobsFailed", 0)
      writer.endObject()
    }
  }

  package func stacktrace(_ call: AppCenterCall) throws -> Response {
    let stored = try call.stored(call.report())
    return .document { $0.writeStacktrace(of: stored.report) }
  }

  /// `format=json|txt`: the known facts of the report, as a file.
  package func download(_ call: AppCenterCall) throws -> Response {
    let record = try call.report()
    let stored = try call.stored(record)
    let name = "attachment; filename=\"\(record.summary.id)"
    switch call["format"] ?? "json" {
    case "json":
      return .json(
        stored.report.document(id: stored.id, received: stored.received),
        headers: ["Content-Disposition": name + ".json\""])
    case "txt":
      let lines = ReportText(isFull: true)
        .lines(for: stored.report, id: stored.id, group: record.summary.group)
      return .text(
        lines.joined(separator: "\n") + "\n", headers: ["Content-Disposition": name + ".txt\""])
    default: throw HTTPError.refused(.badRequest, "format must be json or txt")
    }
  }

  package func location(_ call: AppCenterCall) throws -> Response {
    let id = try call.report().summary.id
    return .document { writer in
      writer.beginObject()
      writer.member("uri", call.address(["api", "v1", "reports", id, "raw"]))
      writer.endObject()
    }
  }
}
