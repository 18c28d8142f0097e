internal import APIDocuments
internal import Bytes
internal import CrashModel
internal import CrashService
internal import CrashStore
internal import Documents
internal import Identifiers
internal import JSON
internal import Query
internal import Rendering
internal import ServerStore
internal import TriageModel

/// Tools that list groups, reports, regressions, missing debug files and apps.
enum ListTools {
  static let all = [apps, groups, search, regressions, missing]

  private static let limit = APIMember.maybe(
    "limit", .integer(1...ToolArguments.items.most),
    "Maximum number of items. Default: \(ToolArguments.items.usual).")

  /// The parameters of a call of the API as arguments, with a limit that keeps answers small.
  private static func arguments(of call: APICall) -> [APIMember] {
    call.query.map { $0.name == "limit" ? limit : APIMember($0) }
  }

  private static func document(
    _ items: [JSONValue], total: Int, next: String?, previous: String? = nil
  ) -> ToolResult {
    .document(
      .object(
        [JSONMember("items", .array(items)), JSONMember("total", .integer(Int64(total)))]
          + [("next", next), ("previous", previous)].compactMap { name, cursor in
            cursor.map { JSONMember(name, .string($0)) }
          }))
  }

  // MARK: Apps

  private static let app = DocumentSelection<AppRecord>("name")

  private static let apps = ModelContextTool(
    name: "apps", title: "Apps", meaning: "List the apps that reports come from.", scope: .read,
    input: arguments(of: .listApps), output: .page(of: app.schema)
  ) { arguments, host in
    let apps = try host.service.apps()
    let page = try Self.page(of: apps, arguments) { $0.name }
    return document(try page.items.map(app.document), total: apps.count, next: page.next)
  }

  // MARK: Groups

  static let group = DocumentSelection<GroupSummary>(
    "id", "app", "signature", "reason", "state", "assignee", "reports", "installs", "first_seen",
    "last_seen")

  private static let groups = ModelContextTool(
    name: "groups", title: "Groups of crash reports",
    meaning: """
      List groups, those with the most reports first. A query has conditions and words, which must \
      all match: app:Tern is:open version:>=1.4 last:7d. The last sort orders are first-seen and \
      last-seen.
      """,
    scope: .read, input: arguments(of: .listGroups),
    output: .page(of: group.schema, hasPrevious: true)
  ) { arguments, host in
    var query = GroupQuery(try Query(arguments.text("query") ?? "", now: .now))
    if let key = arguments.text("sort").flatMap({ SortKey<GroupOrder>(argument: $0) }) {
      query.order = key.order.order
      query.isReversed = key.isReversed
    }
    query.limit = arguments.limit
    (query.after, query.before) = (arguments.text("after"), arguments.text("before"))
    let page = try host.service.groups(query)
    return document(
      try page.items.map(group.document), total: page.total, next: page.next,
      previous: page.previous)
  }

  // MARK: Reports

  private static let report = DocumentSelection<ReportSummary>(
    "id", "group", "app", "kind", "time", "os", "device", "reason", "signature", "symbols")

  private static let search = ModelContextTool(
    name: "search", title: "Search for reports",
    meaning: """
      Find single reports, newest first. A query has conditions and words that occur in functions, \
      files or messages: group:TERN-12 os:iOS function:draw.
      """,
    scope: .read, input: arguments(of: .listReports),
    output: .page(of: report.schema, hasPrevious: true)
  ) { arguments, host in
    var query = ReportQuery(try Query(arguments.text("query") ?? "", now: .now))
    if let key = arguments.text("sort").flatMap({ SortKey<ReportOrder>(argument: $0) }) {
      query.order = key.order.order
      query.isReversed = key.isReversed
    }
    query.limit = arguments.limit
    (query.after, query.before) = (arguments.text("after"), arguments.text("before"))
    let page = try host.service.reports(query)
    return document(
      try page.items.map(report.document), total: page.total, next: page.next,
      previous: page.previous)
  }

  // MARK: Regressions

  private static let regressed = DocumentSelection<AppRegressions>(
    "app", "basis", "since", "tested", "newest", "whole", "items", "total")

  private static let regressions = ModelContextTool(
    name: "regressions", title: "Regressions of an app",
    meaning: """
      List groups of an app that became more frequent, with the first bad build of each, the cases \
      before and since, and how certain that is.
      """,
    scope: .read,
    input: [.always("app", .text(atLeast: 1), "The app's name; see apps.")]
      + arguments(of: .getRegressions),
    output: regressed.schema
  ) { arguments, host in
    var query = RegressionQuery()
    query.since = arguments.text("since").flatMap { Timestamp(day: $0) }
    if let name = arguments.text("release") {
      let release = Release(name)
      guard !release.isEmpty else {
        throw ServiceError("release must be a version such as 1.5.0", .wrongUsage)
      }
      query.release = release
    }
    query.group = arguments.text("group")
    query.confidence = arguments.number("confidence") ?? query.confidence
    query.limit = arguments.limit
    let result = try host.service.regressions(of: arguments.text("app") ?? "", query)
    return .document(try regressed.document(of: result))
  }

  // MARK: Debug files

  private static let image = DocumentSelection<MissingImage>(
    "debug_id", "code_id", "name", "arch", "in_app", "reports", "groups", "provisional_groups",
    "advice")

  private static let missing = ModelContextTool(
    name: "missing_symbols", title: "Missing debug files",
    meaning: """
      List images without debug files, those that the most reports wait for first, and how to get \
      each.
      """,
    scope: .symbols, input: arguments(of: .listMissingImages), output: .page(of: image.schema)
  ) { arguments, host in
    let query = try arguments.text("query").map { try Query($0, now: .now) }
    let (images, total) = try host.service.missingImages(
      of: query, app: arguments.text("app"), limit: nil)
    let page = try Self.page(of: images, arguments) { image in
      [image.debugID?.description, image.codeID?.description, image.name].compactMap(\.self)
        .joined(separator: " ")
    }
    return document(try page.items.map(image.document), total: total, next: page.next)
  }

  /// A page of a list that the service returns as a whole: its cursor is the key of its last item.
  private static func page<Item>(
    of items: [Item], _ arguments: ToolArguments, key: (Item) -> String
  ) throws -> (items: ArraySlice<Item>, next: String?) {
    var rest = items[...]
    if let after = arguments.text("after") {
      guard let last = items.firstIndex(where: { key($0) == after }) else {
        throw ServiceError(
          "after is not the next value of a page of this list; begin again without it",
          .wrongUsage)
      }
      rest = items[(last + 1)...]
    }
    let page = rest.prefix(arguments.limit)
    return (page, page.endIndex < items.endIndex ? page.last.map(key) : nil)
  }
}
