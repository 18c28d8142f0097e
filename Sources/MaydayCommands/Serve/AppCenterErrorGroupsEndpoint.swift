import Bytes
import CrashModel
import CrashStore
import HTTP
import JSON
import Query
import ReportDocument

/// `…/errors/errorGroups`: groups, as App Center's REST API lists and changes them.
struct AppCenterErrorGroupsEndpoint {
  // MARK: Lists

  func list(_ call: AppCenterCall) throws -> Response {
    _ = try call.start()
    var query = GroupQuery(try call.query())
    let words = (call["$orderby"] ?? "count desc").split(separator: " ")
    guard let column = words.first, let order = Self.orders[column.lowercased()] else {
      throw HTTPError.refused(
        .badRequest, "$orderby is count, deviceCount, firstOccurrence or lastOccurrence")
    }
    query.order = order
    query.isReversed = words.dropFirst().first?.lowercased() == "asc"
    query.limit = try call.top()
    query.after = call[AppCenterCall.place]
    let page = try call.store.groups(query)
    return try call.list(next: page.next) { try write(page.items, call, to: &$0) }
  }

  private static let orders: [String: GroupQuery.Order] = [
    "count": .reports, "matchingreportscount": .reports, "devicecount": .installs,
    "firstoccurrence": .firstSeen, "lastoccurrence": .lastSeen,
  ]

  func search(_ call: AppCenterCall) throws -> Response {
    try call.refuseFilter("filter")
    var query = GroupQuery(try call.query())
    let column = call["sort"] ?? "lastOccurrence"
    guard ["matchingReportsCount", "lastOccurrence"].contains(column),
      let order = Self.orders[column.lowercased()]
    else {
      throw HTTPError.refused(.badRequest, "sort is matchingReportsCount or lastOccurrence")
    }
    query.order = order
    query.isReversed = call["order"]?.lowercased() == "asc"
    let (top, skip) = try call.slice()
    query.limit = skip + top
    let page = try call.store.groups(query)
    return try call.found(isMore: page.next != nil) {
      try write(Array(page.items.dropFirst(skip)), call, to: &$0)
    }
  }

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
      group, exemplar: try exemplar(of: group, call)?.report,
      annotation: try annotation(of: group, call))
  }

  /// `nil` where no report is left.
  private func exemplar(of group: GroupSummary, _ call: AppCenterCall) throws -> FiledReport? {
    group.exemplar.isEmpty ? nil : try call.store.report(group.exemplar).filed()
  }

  /// The newest note that stands.
  private func annotation(of group: GroupSummary, _ call: AppCenterCall) throws -> String? {
    try call.store.history(ofGroup: group.id).filter { $0.event == "noted" && $0.undone == nil }
      .max { $0.number < $1.number }?.detail
  }

  // MARK: One group

  func show(_ call: AppCenterCall) throws -> Response {
    let group = try call.group()
    return try .document { try write(group, call, to: &$0) }
  }

  /// `{"state": "closed", "annotation": "text"}`
  func change(_ call: AppCenterCall) throws -> Response {
    let group = try call.group()
    guard let input = try? JSONDocument.parse(call.request.bytes).value,
      let state = input["state"]?.string, ["open", "closed", "ignored"].contains(state)
    else { throw HTTPError.refused(.badRequest, "state is open, closed or ignored") }
    // A note that is refused must not leave the state changed.
    if let text = input["annotation"]?.string, text.contains(where: { !$0.isWhitespace }),
      text != (try annotation(of: group, call))
    {
      try call.store.note([group.id], text, by: call.caller.label)
      try call.note("note", group.id)
    }
    if state != group.state.inAppCenter {
      switch state {
      case "open": try call.store.reopen([group.id], by: call.caller.label)
      case "closed": try call.store.resolve([group.id], by: call.caller.label)
      default: try call.store.ignore([group.id], by: call.caller.label)
      }
      try call.note(state == "open" ? "reopen" : state == "closed" ? "resolve" : "ignore", group.id)
    }
    return try show(call)
  }

  func stacktrace(_ call: AppCenterCall) throws -> Response {
    let group = try call.group()
    guard let exemplar = try exemplar(of: group, call) else {
      throw StoreError.notFound("a report of \(group.id)")
    }
    return .document { $0.writeStacktrace(of: exemplar.report) }
  }

  // MARK: What a group's reports share

  func models(_ call: AppCenterCall) throws -> Response {
    try share(call, of: \.devices, as: "models", names: ["modelName", "modelCode"])
  }

  func systems(_ call: AppCenterCall) throws -> Response {
    try share(call, of: \.systems, as: "operatingSystems", names: ["operatingSystemName"])
  }

  private func share(
    _ call: AppCenterCall, of ranking: KeyPath<GroupBreakdown, GroupBreakdown.Ranking>,
    as list: String, names: [String]
  ) throws -> Response {
    let shares = try call.store.breakdown(ofGroup: call.group().id, now: .now)[keyPath: ranking]
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
