internal import CrashService
internal import CrashStore
package import HTTP
internal import JSON
internal import Query
internal import ServerCore
internal import TriageModel

/// `…/analytics`: counts of crashes and affected devices, under the names used before `errors`. Handled
/// errors are not included.
package struct AppCenterAnalyticsEndpoint {
  private let figures = AppCenterErrorFiguresEndpoint()

  // MARK: By day

  package func crashCounts(_ call: AppCenterCall) throws -> Response {
    var parts = [AppCenterCall.crashes]
    if let versions = try call.versions() {
      parts.append("version:" + versions.map(\.inQuery).joined(separator: "|"))
    }
    return try figures.counts(of: try call.query(parts), call, list: "crashes")
  }

  package func groupCrashCounts(_ call: AppCenterCall) throws -> Response {
    try figures.counts(of: try query(call), call, list: "crashes")
  }

  package func crashFreeDevices(_ call: AppCenterCall) throws -> Response {
    _ = try version(of: call)
    return try figures.free(call, average: "average_percentage", days: "daily_percentages")
  }

  // MARK: Of groups

  package func overall(_ call: AppCenterCall) throws -> Response {
    let group = try call.group().id
    let total = try total(of: group, version: try version(of: call), call)
    return .document { Self.write(total, to: &$0) }
  }

  /// `{"crash_groups": [{"crash_group_id", "app_version"}]}`
  package func overallOfSeveral(_ call: AppCenterCall) throws -> Response {
    guard let asked = try call.input()?["crash_groups"]?.array,
      (1...AppCenterCall.mostSorted).contains(asked.count)
    else {
      throw HTTPError.refused(
        .badRequest, "crash_groups must be 1 to \(AppCenterCall.mostSorted) groups")
    }
    return try .list(asked) { writer, item in
      guard let id = item["crash_group_id"]?.string else {
        throw HTTPError.refused(.badRequest, "crash_group_id is missing")
      }
      let version = item["app_version"]?.string
      let total = try total(of: id, version: version, call)
      writer.beginObject()
      writer.member("crash_group_id", id)
      writer.member("app_version", version)
      writer.key("overall")
      Self.write(total, to: &writer)
      writer.endObject()
    }
  }

  package func models(_ call: AppCenterCall) throws -> Response {
    let counts = try counts(of: try query(call), by: "device", call)
    return try share(counts.total, counts.counts, call, as: "models", name: "model_name")
  }

  /// Systems with their versions.
  package func systems(_ call: AppCenterCall) throws -> Response {
    let query = try query(call)
    let systems = try counts(of: query, by: "os", call)
    var all: [FieldCounts.Count] = []
    for system in systems.counts.prefix(Self.mostSystems) {
      let one = Query(
        conditions: query.conditions
          + (try Query("os:" + system.value.inQuery, now: .now)).conditions)
      for var version in try counts(of: one, by: "os.version", call).counts {
        version.value = [system.value, version.value].filter { !$0.isEmpty }.joined(separator: " ")
        all.append(version)
      }
    }
    all.sort { ($1.count, $0.value) < ($0.count, $1.value) }
    return try share(
      systems.total, all, call, as: "operating_systems", name: "operating_system_name")
  }

  /// The maximum number of systems listed with their versions; an app has one or two.
  private static let mostSystems = 16

  private func counts(
    of query: Query, by name: String, _ call: AppCenterCall
  ) throws -> FieldCounts {
    guard let field = QueryField(named: name) else { throw StoreError.uncountable(field: name) }
    return try call.store.search.counts(of: query, by: field)
  }

  private func share(
    _ total: Int, _ counts: [FieldCounts.Count], _ call: AppCenterCall, as list: String,
    name: String
  ) throws -> Response {
    let top = try call.top()
    return .document { writer in
      writer.beginObject()
      writer.member("crash_count", total)
      writer.key(list)
      writer.beginArray()
      for count in counts.prefix(top) {
        writer.beginObject()
        writer.member(name, count.value)
        writer.member("crash_count", count.count)
        writer.endObject()
      }
      writer.endArray()
      writer.endObject()
    }
  }

  /// Returns the query for one group and one version of the app.
  private func query(_ call: AppCenterCall) throws -> Query {
    _ = try version(of: call)
    return try call.query(["group:" + call.group().id.inQuery])
  }

  private func version(of call: AppCenterCall) throws -> String {
    guard let version = call["version"] else {
      throw HTTPError.refused(.badRequest, "version is missing")
    }
    return version
  }

  /// Returns 0 if the app has no such group.
  private func total(
    of group: String, version: String?, _ call: AppCenterCall
  ) throws -> (crashes: Int, devices: Int) {
    var parts = ["group:" + group.inQuery]
    if let version { parts.append("version:" + version.inQuery) }
    let query = try call.query(parts, isTimed: false)
    guard let found = try call.store.groups.list(GroupQuery(query)).first(where: { $0.id == group })
    else { return (0, 0) }
    return (found.reports, found.installs ?? 0)
  }

  private static func write(
    _ total: (crashes: Int, devices: Int), to writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.member("crash_count", total.crashes)
    writer.member("device_count", total.devices)
    writer.endObject()
  }
}
