internal import CrashService
internal import CrashStore
internal import HTTP
package import Identifiers
package import Query

/// The query parameters of App Center's REST API.
extension AppCenterCall {
  /// The maximum number of elements that a list can skip.
  package static let mostSkipped = 10_000
  /// The maximum number of elements sorted by a key that the store does not index.
  package static let mostSorted = 500
  /// The maximum number of versions: each is counted separately for each day.
  private static let mostVersions = 20
  /// The maximum number of days in a list.
  private static let mostDays = 100

  /// A parameter's value, unless it is empty.
  package subscript(name: String) -> String? {
    request.query[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns a number in `range`.
  package func number(_ name: String, in range: ClosedRange<Int>, otherwise: Int) throws -> Int {
    guard let text = self[name] else { return otherwise }
    guard let number = Int(text), range.contains(number) else {
      throw HTTPError.refused(
        .badRequest, "\(name) must be \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Returns the number of elements of a page; 0 requests as many as possible.
  package func top() throws -> Int {
    let top = try number("$top", in: 0...2_000, otherwise: 30)
    return top == 0 ? 2_000 : top
  }

  /// Returns the range that a search requests: how many elements, after how many.
  package func slice() throws -> (top: Int, skip: Int) {
    try (
      number("$top", in: 1...100, otherwise: 100),
      number("$skip", in: 0...Self.mostSkipped, otherwise: 0)
    )
  }

  /// Returns the versions, separated by bars; `nil` for all.
  package func versions() throws -> [String]? {
    guard let text = self["versions"] ?? self["version"] else { return nil }
    let versions = text.split(separator: "|").map(String.init)
    guard (1...Self.mostVersions).contains(versions.count) else {
      throw HTTPError.refused(.badRequest, "versions takes at most \(Self.mostVersions)")
    }
    return versions
  }

  /// Returns a time, or a moment of the given day: its start, or with `isEnd` its end.
  package func time(_ name: String, isEnd: Bool = false) throws -> Timestamp? {
    guard let text = self[name] else { return nil }
    if let time = Timestamp(text) { return time }
    guard let day = Timestamp(text + "T00:00:00Z") else {
      throw HTTPError.refused(.badRequest, "\(name) must be an ISO 8601 time")
    }
    return isEnd ? Timestamp(seconds: day.seconds + 86_399) : day
  }

  package func start() throws -> Timestamp {
    guard let start = try time("start") else {
      throw HTTPError.refused(.badRequest, "start is missing")
    }
    return start
  }

  /// Returns the end of the list, at most as far in the future as clocks are trusted.
  package func end() throws -> Timestamp {
    let now = Timestamp.now
    return min(
      try time("end", isEnd: true) ?? now, Timestamp(seconds: now.seconds + 3 * 86_400))
  }

  /// Returns the starts of the requested days, at most as many as sessions are kept for.
  package func days() throws -> [Timestamp] {
    let (first, last) = (try start().day, try end().day)
    guard first <= last else { return [] }
    return (max(first, last - Self.mostDays + 1)...last).map {
      Timestamp(seconds: Int64($0) * 86_400)
    }
  }

  package static let crashes = "-kind:handled"
  package static let handledErrors = "kind:handled"

  /// Returns the query condition for one of App Center's states.
  package static func condition(state: String) throws -> String {
    switch state.lowercased() {
    case "open": return "state:open|regressed"
    case "closed": return "state:resolved"
    case "ignored": return "state:ignored"
    default: throw HTTPError.refused(.badRequest, "state must be open, closed or ignored")
    }
  }

  /// Returns the query for the parameters that all lists share.
  ///
  /// - Parameters:
  ///   - more: Further conditions in the query language.
  ///   - isTimed: Whether `start` and `end` are among the parameters.
  ///   - search: Where the words of `q` are searched; `nil` if there is no such parameter.
  package func query(
    _ more: [String] = [], isTimed: Bool = true, search: AppCenterSearch? = nil
  ) throws -> Query {
    var parts = ["app:" + app.inQuery] + more
    if let version = self["version"] { parts.append("version:" + version.inQuery) }
    if let build = self["app_build"] { parts.append("build:" + build.inQuery) }
    if let model = self["model"] { parts.append("device:" + model.inQuery) }
    if let system = self["os"] {
      let words = system.split(separator: " ", maxSplits: 1)
      let isVersion = words.count == 1 && system.first?.isNumber == true
      if let name = words.first, !isVersion { parts.append("os:" + String(name).inQuery) }
      if let last = words.last, words.count == 2 || isVersion {
        parts.append("os.version:" + String(last).inQuery)
      }
    }
    switch self["errorType"]?.lowercased() {
    case nil, "all": break
    case "unhandlederror": parts.append(Self.crashes)
    case "handlederror": parts.append(Self.handledErrors)
    default:
      throw HTTPError.refused(.badRequest, "errorType must be all, unhandledError or handledError")
    }
    if let state = self["groupState"] { parts.append(try Self.condition(state: state)) }
    for name in ["filter", "$filter"] {
      if let filter = self[name] { parts += try AppCenterFilter(filter).conditions }
    }
    if isTimed, let start = try time("start") {
      parts.append("time:>=" + Timestamp(seconds: start.seconds).description)
    }
    if isTimed, let end = try time("end", isEnd: true) {
      parts.append("time:<=" + Timestamp(seconds: end.seconds).description)
    }
    let query = try Query(parts.joined(separator: " "), now: .now)
    // The caller named these fields; a search for words leaves out what is hidden.
    try withholding.check(query)
    guard let search, let words = self["q"] else { return query }
    return Query(
      conditions: query.conditions
        + (try search.conditions(for: words) { !withholding.hides($0, of: app) }))
  }
}
