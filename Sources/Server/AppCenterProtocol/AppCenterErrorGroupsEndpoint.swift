internal import APIDocuments
internal import Bytes
internal import CrashModel
internal import CrashService
internal import CrashStore
internal import Documents
package import HTTP
internal import JSON
internal import Query
internal import ReportDocument
internal import ServerCore
internal import TriageModel

/// `…/errors/errorGroups`: groups, as App Center's REST API lists and changes them.
package struct AppCenterErrorGroupsEndpoint {
  // MARK: Lists

  package func list(_ call: AppCenterCall) throws -> Response {
    _ = try call.start()
    var query = GroupQuery(try call.query())
    let words = (call["$orderby"] ?? "count desc").split(separator: " ")
    guard let column = words.first, let order = Self.orders[column.lowercased()] else {
      throw HTTPError.refused(
        .badRequest, "$orderby must be count, deviceCount, firstOccurrence or lastOccurrence")
    }
    query.order = order
    query.isReversed = words.dropFirst().first?.lowercased() == "asc"
    query.limit = try call.top()
    query.after = call[AppCenterCall.skipToken]
    let page = try call.store.groups.list(query)
    return try call.list(next: page.next) { try write(page.items, call, to: &$0) }
  }

  private static let orders: [String: GroupQuery.Order] = [
    "count": .reports, "matchingreportscount": .reports, "devicecount": .installs,
    "firstoccurrence": .firstSeen, "lastoccurrence": .lastSeen,
  ]

  /// Searches groups. Counts and times are sorted by the store; for other orders, those with the most reports
  /// are sorted as requested.
  package func search(_ call: AppCenterCall) throws -> Response {
    var query = GroupQuery(try call.query(search: .groups))
    let column = call["sort"] ?? "lastOccurrence"
    let isUp = call["order"]?.lowercased() == "asc"
    let (top, skip) = try call.slice()
    let groups: [GroupSummary]
    let hasMore: Bool
    if let order = Self.orders[column.lowercased()] {
      query.order = order
      query.isReversed = isUp
      query.limit = skip + top
      let page = try call.store.groups.list(query)
      (groups, hasMore) = (Array(page.items.dropFirst(skip)), page.next != nil)
    } else if let key = Self.keys[column] {
      query.limit = AppCenterCall.mostSorted
      var sorted = try call.store.groups.list(query).items.map { group in
        (group, key: key(try call.exemplar(of: group)?.report))
      }
      sorted.sort { isUp ? $0.key < $1.key : $0.key > $1.key }
      groups = sorted.dropFirst(skip).prefix(top).map(\.0)
      hasMore = sorted.count > skip + top
    } else {
      let names = ["matchingReportsCount", "lastOccurrence"] + Self.keys.keys.sorted()
      throw HTTPError.refused(.badRequest, "sort must be one of " + names.joined(separator: ", "))
    }
    return try call.found(isMore: hasMore) { try write(groups, call, to: &$0) }
  }

  /// Columns that are read from a group's exemplar.
  private static let keys: [String: @Sendable (CrashReport?) -> String] = [
    "exceptionClassName": { $0?.appCenterReason?.className ?? "" },
    "exceptionMessage": { $0?.reason.exception?.message ?? $0?.reason.message ?? "" },
    "exceptionMethod": { $0?.appCenterReason?.method ?? "" },
  ]

  private func write(
    _ groups: [GroupSummary], _ call: AppCenterCall, to writer: inout JSONWriter
  ) throws {
    writer.key("errorGroups")
    writer.beginArray()
    for group in groups { try write(group, call, to: &writer) }
    writer.endArray()
  }

  private func write(
    _ group: GroupSummary, _ call: AppCenterCall, to writer: inout JSONWriter
  ) throws {
    writer.write(
      group, release: try call.release(of: group),
      exemplar: try call.exemplar(of: group)?.report,
      annotation: try call.annotation(of: group))
  }

  // MARK: One group

  package func show(_ call: AppCenterCall) throws -> Response {
    let group = try call.group()
    return try .document { try write(group, call, to: &$0) }
  }

  /// `{"state": "closed", "annotation": "text"}`
  package func change(_ call: AppCenterCall) throws -> Response {
    guard let input = try call.input(), let state = input["state"]?.string else {
      throw HTTPError.refused(.badRequest, "state must be open, closed or ignored")
    }
    try call.decide(try call.group(), state: state, annotation: input["annotation"]?.string)
    return try show(call)
  }

  package func stacktrace(_ call: AppCenterCall) throws -> Response {
    let exemplar = try call.exemplar()
    return .document { $0.writeStacktrace(of: exemplar.report) }
  }

  // MARK: What a group's reports share

  package func models(_ call: AppCenterCall) throws -> Response {
    try share(call, of: \.devices, as: "models", names: ["modelName", "modelCode"])
  }

  package func systems(_ call: AppCenterCall) throws -> Response {
    try share(call, of: \.systems, as: "operatingSystems", names: ["operatingSystemName"])
  }

  private func share(
    _ call: AppCenterCall, of ranking: KeyPath<GroupBreakdown, GroupBreakdown.Ranking>,
    as list: String, names: [String]
  ) throws -> Response {
    let shares = try call.store.groups.breakdown(ofGroup: call.group().id, now: .now)[
      keyPath: ranking]
    let top = try call.number("$top", in: 0...2_000, otherwise: shares.top.count)
    return .document { writer in
      writer.beginObject()
      writer.member("errorCount", shares.total)
      writer.key(list)
      writer.beginArray()
      for share in shares.top.prefix(top) {
        writer.beginObject()
        for name in names { writer.member(name, share.name) }
        writer.member("errorCount", share.reports)
        writer.endObject()
      }
      writer.endArray()
      writer.endObject()
    }
  }
}

extension GroupBreakdown.Ranking {
  fileprivate var total: Int { top.reduce(reportsOfOthers) { $0 + $1.reports } }
}
