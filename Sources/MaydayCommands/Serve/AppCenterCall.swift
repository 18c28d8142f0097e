import Bytes
import CrashModel
import CrashStore
import Hashing
import HTTP
import JSON
import Query
import ReportDocument
import ServerStore

/// One request to App Center's REST API for errors: whose it is, for which app, and what it asks.
struct AppCenterCall {
  let service: Service
  let request: Request
  let caller: Access.Caller
  let app: String

  var store: CrashStore { service.store }

  /// The bytes of a query are limited; so many values of a list fit it.
  static let mostSkipped = 10_000
  /// The most days of a list of days.
  private static let mostDays = 100

  // MARK: Answering

  /// A gate whose refusals look as this family's errors do.
  static func gate(_ scope: TokenScope, of service: Service) -> Route.Gate {
    { head in
      guard case .failure(let refusal) = try service.access.caller(of: head, scope) else {
        return nil
      }
      let status = refusal.response.status
      var response = Response.appCenterError(
        status, "X-API-Token has to be a token that may \(scope.rawValue)")
      response.headers["WWW-Authenticate"] = refusal.response.headers["WWW-Authenticate"]
      return response
    }
  }

  /// Answers with what `body` makes; what it refuses is answered as this family does.
  static func answer(
    _ request: Request, _ scope: TokenScope, of service: Service,
    _ body: (AppCenterCall) throws -> Response
  ) throws -> Response {
    do {
      let caller = try service.access.caller(of: request.head, scope).get()
      let app = request.parameters["app"] ?? ""
      // A token of one app must not tell which others there are.
      guard caller.app == nil || caller.app == app, try service.store.apps().contains(named: app)
      else { throw StoreError.notFound(app) }
      return try body(
        AppCenterCall(service: service, request: request, caller: caller, app: app))
    } catch let error as QueryError {
      return .appCenterError(.badRequest, "\(error)")
    } catch let error as StoreError {
      switch error {
      case .notFound: return .appCenterError(.notFound, "\(error)")
      case .ambiguous: return .appCenterError(.conflict, "\(error)")
      default: return .appCenterError(.badRequest, "\(error)")
      }
    } catch let error as ActionError {
      return .appCenterError(.conflict, "\(error)")
    } catch HTTPError.refused(let status, let detail) {
      return .appCenterError(status, detail)
    }
  }

  func note(_ action: String, _ subject: String) throws {
    try service.audit.note(
      .init(
        time: .now, token: caller.id, label: caller.label, action: action, subject: subject,
        peer: request.peer))
  }

  // MARK: What the path names

  /// The group that the path names, if it is one of the app's.
  func group() throws -> GroupSummary {
    let id = request.parameters["group"] ?? ""
    let group = try store.group(id)
    guard group.app == app else { throw StoreError.notFound(id) }
    return group
  }

  /// The report that the path names, if it is one of the app's, and of the group's if it names one.
  func report() throws -> StoredReport {
    let id = request.parameters["report"] ?? ""
    let report = try store.report(id)
    guard report.summary.app == app else { throw StoreError.notFound(id) }
    if request.parameters["group"] != nil, report.summary.group != (try group()).id {
      throw StoreError.notFound(id)
    }
    return report
  }

  // MARK: What the query asks

  /// A parameter's value, if it says something.
  subscript(name: String) -> String? {
    request.query[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A number in `range`.
  func number(_ name: String, in range: ClosedRange<Int>, otherwise: Int) throws -> Int {
    guard let text = self[name] else { return otherwise }
    guard let number = Int(text), range.contains(number) else {
      throw HTTPError.refused(
        .badRequest, "\(name) is \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// How many elements a page has: 0 is as many as there may be.
  func top() throws -> Int {
    let top = try number("$top", in: 0...2_000, otherwise: 30)
    return top == 0 ? 2_000 : top
  }

  /// A part of a list, with the address of the next one.
  func list(
    next: String?, _ write: (inout JSONWriter) throws -> Void
  ) throws -> Response {
    try .document { writer in
      writer.beginObject()
      writer.member("nextLink", nextLink(next))
      try write(&writer)
      writer.endObject()
    }
  }

  /// What a search found, and whether there is more.
  func found(
    isMore: Bool, _ write: (inout JSONWriter) throws -> Void
  ) throws -> Response {
    try .document { writer in
      writer.beginObject()
      writer.member("hasMoreResults", isMore)
      try write(&writer)
      writer.endObject()
    }
  }

  /// The part of a list that a search asks for: of how many, after how many.
  func slice() throws -> (top: Int, skip: Int) {
    try (
      number("$top", in: 1...100, otherwise: 100),
      number("$skip", in: 0...Self.mostSkipped, otherwise: 0)
    )
  }

  /// A time, or the day on which it is; `isEnd` for the end of that day.
  func time(_ name: String, isEnd: Bool = false) throws -> Timestamp? {
    guard let text = self[name] else { return nil }
    if let time = Timestamp(text) { return time }
    guard let day = Timestamp(text + "T00:00:00Z") else {
      throw HTTPError.refused(.badRequest, "\(name) is a time of ISO 8601")
    }
    return isEnd ? Timestamp(seconds: day.seconds + 86_399) : day
  }

  func start() throws -> Timestamp {
    guard let start = try time("start") else {
      throw HTTPError.refused(.badRequest, "start is missing")
    }
    return start
  }

  /// Lists of days go no further than clocks are believed.
  func end() throws -> Timestamp {
    let now = Timestamp.now
    return min(
      try time("end", isEnd: true) ?? now, Timestamp(seconds: now.seconds + 3 * 86_400))
  }

  /// The first moments of the days that are asked for, not more than are kept of sessions.
  func days() throws -> [Timestamp] {
    let (first, last) = (try start().day, try end().day)
    guard first <= last else { return [] }
    return (max(first, last - Self.mostDays + 1)...last).map {
      Timestamp(seconds: Int64($0) * 86_400)
    }
  }

  func refuseFilter(_ name: String) throws {
    guard self[name] == nil else {
      throw HTTPError.refused(.badRequest, "\(name) is not understood; q searches for text")
    }
  }

  /// The conditions that the parameters of all lists mean.
  ///
  /// - Parameter more: Conditions besides, as the query language writes them.
  func query(_ more: [String] = [], isTimed: Bool = true) throws -> Query {
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
    case "unhandlederror": parts.append("-kind:handled")
    case "handlederror": parts.append("kind:handled")
    default:
      throw HTTPError.refused(.badRequest, "errorType is all, unhandledError or handledError")
    }
    switch self["groupState"]?.lowercased() {
    case nil: break
    case "open": parts.append("state:open|regressed")
    case "closed": parts.append("state:resolved")
    case "ignored": parts.append("state:ignored")
    default: throw HTTPError.refused(.badRequest, "groupState is open, closed or ignored")
    }
    for word in (self["q"] ?? "").split(whereSeparator: \.isWhitespace) {
      parts.append("text:" + String(word).inQuery)
    }
    if isTimed, let start = try time("start") {
      parts.append("time:>=" + Timestamp(seconds: start.seconds).description)
    }
    if isTimed, let end = try time("end", isEnd: true) {
      parts.append("time:<=" + Timestamp(seconds: end.seconds).description)
    }
    return try Query(parts.joined(separator: " "), now: .now)
  }

  // MARK: Addresses

  /// An address of this server, as the client reached it.
  func address(_ path: [String]) -> String {
    let scheme = request.isSecure ? "https" : "http"
    return "\(scheme)://\(request.headers["Host"] ?? "localhost")/"
      + path.map(\.inAddress).joined(separator: "/")
  }

  /// The address of the page that comes after a place in the list.
  func nextLink(_ place: String?) -> String? {
    guard let place else { return nil }
    var items = request.query.items.filter { $0.name != Self.place }.map { ($0.name, $0.value) }
    items.append((Self.place, place))
    return address(request.segments) + "?"
      + items.map { $0.0.inAddress + "=" + $0.1.inAddress }.joined(separator: "&")
  }

  /// The parameter with which a list goes on.
  static let place = "$skiptoken"

  /// A UUID for what has a name only; the same for the same name.
  static func uuid(_ name: String) -> String {
    let digits = Array(SHA256.hex(of: ByteView(name.utf8)))
    let ends = [(0, 8), (8, 12), (12, 16), (16, 20), (20, 32)]
    return ends.map { String(digits[$0.0..<$0.1]) }.joined(separator: "-")
  }

  /// As the store keeps the app's identity when it is renamed.
  func appID() throws -> String { Self.uuid(try store.keyName(of: app)) }
}

extension [AppRecord] {
  fileprivate func contains(named name: String) -> Bool { contains { $0.name == name } }
}

extension String {
  /// Letter by letter, as the query language writes it.
  var inQuery: String {
    var text = "\""
    for character in unicodeScalars {
      if character == "\"" || character == "\\" { text += "\\" }
      text.unicodeScalars.append(character)
    }
    return text + "\""
  }

  /// With everything percent-encoded that is not unreserved (RFC 3986 2.3).
  var inAddress: String {
    var text = ""
    for byte in utf8 {
      let scalar = Unicode.Scalar(byte)
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".", "~":
        text.unicodeScalars.append(scalar)
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        text += "%" + (digits.utf8.count == 1 ? "0" : "") + digits
      }
    }
    return text
  }
}

extension Response {
  /// An error as the families `errors` and `apps` write it.
  static func appCenterError(_ status: Status, _ message: String) -> Response {
    let codes: [Int: String] = [
      400: "BadRequest", 401: "Unauthorized", 403: "Forbidden", 404: "NotFound",
      406: "NotAcceptable", 409: "Conflict", 429: "TooManyRequests",
    ]
    return .document(status: status) { writer in
      writer.beginObject()
      writer.key("error")
      writer.beginObject()
      writer.member("code", codes[status.code] ?? "InternalServerError")
      writer.member("message", message)
      writer.endObject()
      writer.endObject()
    }
  }
}
