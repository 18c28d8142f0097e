internal import APIDocuments
internal import CrashService
internal import CrashStore
package import HTTP
internal import Identifiers
internal import JSON
package import Query
internal import ServerCore
internal import TriageModel

/// Counts and rates by day, versions, builds and retention, as in App Center's REST API.
package struct AppCenterErrorFiguresEndpoint {
  // MARK: Counts

  package func countsPerDay(_ call: AppCenterCall) throws -> Response {
    try counts(of: try call.query(), call, list: "errors")
  }

  package func groupCountsPerDay(_ call: AppCenterCall) throws -> Response {
    try counts(of: try call.query(["group:" + call.group().id.inQuery]), call, list: "errors")
  }

  /// - Parameter list: The name of the list of days.
  package func counts(of query: Query, _ call: AppCenterCall, list: String) throws -> Response {
    let points = try call.store.search.trend(of: query, from: call.start(), through: call.end())
    return .document { writer in
      writer.beginObject()
      writer.member("count", points.reduce(0) { $0 + $1.reports })
      writer.key(list)
      writer.beginArray()
      for point in points {
        writer.beginObject()
        writer.member("datetime", point.day.description)
        writer.member("count", point.reports)
        writer.endObject()
      }
      writer.endArray()
      writer.endObject()
    }
  }

  // MARK: Rates

  package func freeOfErrors(_ call: AppCenterCall) throws -> Response {
    guard call["errorType"]?.lowercased() != "handlederror" else {
      throw HTTPError.refused(.badRequest, "only crashes have rates: use unhandledError")
    }
    return try free(call, average: "averagePercentage", days: "dailyPercentages")
  }

  /// - Parameters:
  ///   - average: The name of the rate over all days.
  ///   - days: The name of the list of days.
  package func free(_ call: AppCenterCall, average: String, days: String) throws -> Response {
    let versions = try call.versions()
    return try rates(call, average: average, days: days) { day in
      var sum = CrashFree()
      for version in versions.map({ $0.map(Optional.some) }) ?? [nil] {
        let figures = try call.store.sessions.crashFree(
          app: call.app, from: day, to: day, release: version.map { Release(version: $0) })
        sum.add(figures)
      }
      return (sum.crashedInstalls, sum.installs, sum.userGap == nil)
    }
  }

  package func groupFreeOfErrors(_ call: AppCenterCall) throws -> Response {
    let group = try call.group()
    return try rates(call, average: "averagePercentage", days: "dailyPercentages") { day in
      let date = String(day.description.prefix(10))
      let query = try call.query(["group:" + group.id.inQuery, "time:" + date], isTimed: false)
      let affected = try call.store.groups.list(GroupQuery(query)).first?.installs ?? 0
      let figures = try call.store.sessions.crashFree(
        app: call.app, from: day, to: day,
        release: call["version"].map { Release(version: $0) })
      return (affected, figures.installs, figures.installsWithSessions > 0)
    }
  }

  /// - Parameter figures: The number of devices on a day, the number with an error, and whether that makes a
  ///   rate.
  private func rates(
    _ call: AppCenterCall, average: String, days list: String,
    _ figures: (Timestamp) throws -> (affected: Int, all: Int, isRate: Bool)
  ) throws -> Response {
    guard call["app_build"] == nil else {
      throw HTTPError.refused(.badRequest, "sessions are counted by version, not by build")
    }
    var days: [(day: Timestamp, rate: Double)] = []
    for day in try call.days() {
      let (affected, all, isRate) = try figures(day)
      // A day without any devices has no rate.
      guard affected > 0 || all > 0 else { continue }
      days.append(
        (day, !isRate || affected > all ? -1 : 100 * (1 - Double(affected) / Double(all))))
    }
    let known = days.map(\.rate).filter { $0 >= 0 }
    return .document { writer in
      writer.beginObject()
      writer.member(average, known.isEmpty ? -1 : known.reduce(0, +) / Double(known.count))
      writer.key(list)
      writer.beginArray()
      for (day, rate) in days {
        writer.beginObject()
        writer.member("datetime", day.description)
        writer.member("percentage", rate)
        writer.endObject()
      }
      writer.endArray()
      writer.endObject()
    }
  }

  // MARK: Versions

  package func versions(_ call: AppCenterCall) throws -> Response {
    let all = try values(of: "version", call)
    let skip = try call.number("$skip", in: 0...AppCenterCall.mostSkipped, otherwise: 0)
    let top = try call.top()
    return .document { writer in
      writer.beginObject()
      writer.member("versions", Array(all.dropFirst(skip).prefix(top)))
      if call["$inlinecount"] == "allpages" { writer.member("total_count", all.count) }
      writer.endObject()
    }
  }

  package func builds(_ call: AppCenterCall) throws -> Response {
    guard call["version"] != nil else {
      throw HTTPError.refused(.badRequest, "version is missing")
    }
    _ = try call.start()
    let builds = try values(of: "build", call).prefix(call.top())
    return .document { writer in
      writer.beginObject()
      writer.member("appBuilds", Array(builds))
      writer.endObject()
    }
  }

  /// Returns the values of a field of reports, newest version first.
  private func values(of name: String, _ call: AppCenterCall) throws -> [String] {
    guard let field = QueryField(named: name) else { return [] }
    return try call.store.search.counts(of: call.query(), by: field).counts.map(\.value)
      .filter { !$0.isEmpty }
      .sorted { Release(version: $1).precedesByNumber(Release(version: $0)) }
  }

  // MARK: Retention

  /// Returns the retention in days; 0, which App Center did not offer, if reports are kept forever.
  package func retention(_ call: AppCenterCall) throws -> Response {
    let days = try call.store.retention.limits(of: call.app).days
    return .document { writer in
      writer.beginObject()
      writer.member("retention_in_days", days ?? 0)
      writer.endObject()
    }
  }

  package func setRetention(_ call: AppCenterCall) throws -> Response {
    try call.request.requireJSON()
    guard let input = try? JSONDocument.parse(call.request.bytes).value,
      let days = input["retention_in_days"]?.integer, [28, 90].contains(days)
    else { throw HTTPError.refused(.badRequest, "retention_in_days must be 28 or 90") }
    var retention = try call.store.retention.limits(of: call.app)
    retention.days = days
    try call.store.retention.setLimits(retention, of: call.app)
    try call.note("set retention", call.app)
    return try self.retention(call)
  }
}
