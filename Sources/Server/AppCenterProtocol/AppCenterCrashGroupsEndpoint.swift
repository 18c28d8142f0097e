internal import CrashModel
internal import CrashService
internal import CrashStore
package import HTTP
internal import Identifiers
internal import JSON
internal import Query
internal import Rendering
internal import ReportDocument
internal import ServerCore
internal import TriageModel

/// `…/crash_groups`: groups and their crashes, as in App Center's REST API before `errors`.
package struct AppCenterCrashGroupsEndpoint {
  /// The number of elements of a page; the list contains the address of the next.
  private static let pageSize = 100
  /// The maximum number of groups sorted by id.
  private static let mostSorted = 10_000

  // MARK: Groups

  package func list(_ call: AppCenterCall) throws -> Response {
    var query = GroupQuery(try call.query(conditions(call), isTimed: false))
    if let text = call["group_text_search"] {
      query.query = Query(
        conditions: query.query.conditions + (try AppCenterSearch.groups.conditions(for: text)))
    }
    let words = (call["$orderby"] ?? "last_occurrence desc").split(separator: " ")
    query.isReversed = words.dropFirst().first?.lowercased() == "asc"
    let token = call["continuation_token"]
    let page: Page<GroupSummary>
    if words.first == "display_id" {
      page = try byNumber(query, after: token, call)
    } else {
      guard let order = words.first.flatMap({ Self.orders[String($0)] }) else {
        throw HTTPError.refused(
          .badRequest, "$orderby must be last_occurrence, count, display_id or impacted_users")
      }
      query.order = order
      query.limit = Self.pageSize
      query.after = token
      page = try call.store.groups.list(query)
    }
    return try .document { writer in
      writer.beginObject()
      writer.member("limited_result_set", page.next != nil)
      writer.member("continuation_token", page.next)
      writer.key("crash_groups")
      writer.beginArray()
      for group in page { try write(group, call, to: &writer) }
      writer.endArray()
      writer.endObject()
    }
  }

  private static let orders: [String: GroupQuery.Order] = [
    "last_occurrence": .lastSeen, "count": .reports, "impacted_users": .installs,
  ]

  /// Lists groups in the order in which they were opened; a page continues at a number.
  private func byNumber(
    _ query: GroupQuery, after token: String?, _ call: AppCenterCall
  ) throws -> Page<GroupSummary> {
    guard let start = Int(token ?? "0"), start >= 0 else {
      throw HTTPError.refused(.badRequest, "continuation_token does not belong to this list")
    }
    var query = query
    query.limit = Self.mostSorted
    func number(_ group: GroupSummary) -> Int {
      group.id.split(separator: "-").last.flatMap { Int($0) } ?? 0
    }
    let all = try call.store.groups.list(query).sorted {
      query.isReversed ? number($0) < number($1) : number($0) > number($1)
    }
    let items = Array(all.dropFirst(start).prefix(Self.pageSize))
    let end = start + items.count
    return Page(items: items, next: end < all.count ? "\(end)" : nil, total: all.count)
  }

  /// Returns the conditions for this family's parameters, whose names differ from those of `errors`.
  private func conditions(_ call: AppCenterCall) throws -> [String] {
    var parts: [String] = []
    if let version = call["app_version"] { parts.append("version:" + version.inQuery) }
    if let status = call["group_status"] {
      parts.append(try AppCenterCall.condition(state: status))
    }
    switch call["group_type"] {
    case nil: break
    case "GroupType1": parts.append(AppCenterCall.crashes)
    case "GroupType2": parts.append(AppCenterCall.handledErrors)
    default: throw HTTPError.refused(.badRequest, "group_type must be GroupType1 or GroupType2")
    }
    if let from = try call.time("last_occurrence_from") {
      parts.append("last:>=" + Timestamp(seconds: from.seconds).description)
    }
    if let to = try call.time("last_occurrence_to", isEnd: true) {
      parts.append("last:<=" + Timestamp(seconds: to.seconds).description)
    }
    return parts
  }

  package func show(_ call: AppCenterCall) throws -> Response {
    let group = try call.group()
    return try .document { try write(group, call, to: &$0) }
  }

  /// `{"status": "closed", "annotation": "text"}`; missing members leave the value unchanged.
  package func change(_ call: AppCenterCall) throws -> Response {
    guard let input = try call.input() else {
      throw HTTPError.refused(.badRequest, "the body is not a JSON object")
    }
    try call.decide(
      try call.group(), state: input["status"]?.string, annotation: input["annotation"]?.string)
    return try show(call)
  }

  private func write(
    _ group: GroupSummary, _ call: AppCenterCall, to writer: inout JSONWriter
  ) throws {
    writer.writeCrashGroup(
      group, release: try call.release(of: group),
      exemplar: try call.exemplar(of: group)?.report,
      annotation: try call.annotation(of: group))
  }

  package func groupStacktrace(_ call: AppCenterCall) throws -> Response {
    stacktrace(of: try call.exemplar().report, call)
  }

  // MARK: Crashes

  /// Lists the newest crashes, without further pages.
  package func crashes(_ call: AppCenterCall) throws -> Response {
    var parts = ["group:" + (try call.group().id.inQuery)]
    if let version = call["app_version"] { parts.append("version:" + version.inQuery) }
    switch call["error_type"] {
    case nil: break
    case "CrashingErrors": parts.append(AppCenterCall.crashes)
    case "HandledErrors": parts.append(AppCenterCall.handledErrors)
    default:
      throw HTTPError.refused(.badRequest, "error_type must be CrashingErrors or HandledErrors")
    }
    for (name, sign, isEnd) in [("date_from", ">=", false), ("date_to", "<=", true)] {
      guard let time = try call.time(name, isEnd: isEnd) else { continue }
      parts.append("time:\(sign)" + Timestamp(seconds: time.seconds).description)
    }
    var query = ReportQuery(try call.query(parts, isTimed: false))
    query.limit = Self.pageSize
    let page = try call.store.reports.list(query)
    return try .list(page.items) { writer, summary in
      let record = try call.store.reports.get(summary.id)
      writer.writeCrash(
        record, try call.stored(record), hasStack: call["include_report"] == "true",
        isRelevant: false)
    }
  }

  package func crash(_ call: AppCenterCall) throws -> Response {
    let record = try call.report()
    let hasStack = call["include_stacktrace"] == "true" || call["include_report"] == "true"
    return try .document { writer in
      writer.writeCrash(
        record, try call.stored(record), hasStack: hasStack,
        isRelevant: call["grouping_only"] == "true"
      )
    }
  }

  package func remove(_ call: AppCenterCall) throws -> Response {
    let record = try call.report()
    try call.remove(record)
    return try .document { writer in
      writer.beginObject()
      writer.member("app_id", try call.appID())
      writer.member("crash_group_id", record.summary.group)
      writer.member("crash_id", record.summary.id)
      writer.member("crashes_deleted", 1)
      writer.member("attachments_deleted", record.attachments.count)
      writer.member("blobs_succeeded", record.attachments.count)
      writer.member("blobs_failed", 0)
      writer.endObject()
    }
  }

  package func stacktrace(_ call: AppCenterCall) throws -> Response {
    stacktrace(of: try call.stored(call.report()).report, call)
  }

  private func stacktrace(of report: CrashReport, _ call: AppCenterCall) -> Response {
    .document {
      $0.writeStacktrace(of: report, isRelevant: call["grouping_only"] == "true")
    }
  }

  /// Returns the report as text; for Apple's systems in the format of their own tools.
  package func native(_ call: AppCenterCall) throws -> Response { .text(try text(call)) }

  package func download(_ call: AppCenterCall) throws -> Response {
    let id = try call.report().summary.id
    return .text(
      try text(call), headers: ["Content-Disposition": "attachment; filename=\"\(id).txt\""])
  }

  private func text(_ call: AppCenterCall) throws -> String {
    let record = try call.report()
    let stored = try call.stored(record)
    guard stored.report.appCenterPlatform != "ios" else {
      return AppleCrashText(stored.report, id: stored.id).text()
    }
    return ReportText(isFull: true)
      .lines(for: stored.report, id: stored.id, group: record.summary.group)
      .joined(separator: "\n") + "\n"
  }

  // MARK: The app

  package func info(_ call: AppCenterCall) throws -> Response {
    var query = ReportQuery(try call.query([AppCenterCall.crashes], isTimed: false))
    query.limit = 1
    let hasCrashes = try call.store.reports.list(query).total > 0
    return .document { writer in
      writer.beginObject()
      writer.member("has_crashes", hasCrashes)
      writer.key("features")
      writer.beginObject()
      for feature in Self.features { writer.member(feature, true) }
      writer.endObject()
      writer.endObject()
    }
  }

  private static let features = [
    "crashgroup_modify_status", "crashgroup_modify_annotation", "search",
    "crashgroup_analytics_crashfreeusers", "crashgroup_analytics_impactedusers",
    "crash_download_raw",
  ]
}
