internal import APIDocuments
package import Bytes
package import CrashModel
package import CrashService
package import CrashStore
internal import Documents
internal import HTTP
package import HTTPClient
package import Identifiers
package import JSON
package import Query
internal import Rendering
package import ReportDocument
package import ServerStore
package import TriageModel
package import Updates

/// The service of a server, by its API.
package final class RemoteService: CrashService {
  private let sender: WebSender
  private let server: String
  private let token: String?

  /// Maximum number of elements on a page of a list.
  private static let partSize = 1_000
  /// Maximum size of a response in bytes: a submission may be as large.
  private static let answerLimit = 128 << 20

  package init(_ server: ServerAddress, token: String?, sender: WebSender) {
    self.sender = sender
    self.server = server.text
    self.token = token
  }

  // MARK: Requests

  package func bytes(
    _ method: String, _ path: String, _ query: [(name: String, value: String?)] = [],
    body: ByteView? = nil, type: String = "application/json"
  ) throws -> ByteView {
    var headers = ["Accept: application/json"]
    if let token { headers.append("Authorization: Bearer \(token)") }
    if body != nil { headers.append("Content-Type: \(type)") }
    var request = WebRequest(
      method, server + "/api/v1" + path + ServerAddress.query(query), headers: headers, body: body)
    request.answerLimit = Self.answerLimit
    let answer: WebResponse
    do throws(WebError) {
      answer = try sender.send(request)
    } catch {
      throw ServiceError("\(server.printable): \(error.description.printable)", .unreachable)
    }
    guard (200...299).contains(answer.status) else { throw Self.failure(answer) }
    guard !answer.isCut else {
      throw ServiceError("\(server.printable): the answer is larger than 128 MB")
    }
    return answer.body
  }

  /// Returns the error for a refusal: the server's text, with the exit status that the same error has on a
  /// home.
  private static func failure(_ answer: WebResponse) -> ServiceError {
    let document = try? JSONDocument.parse(answer.body).value
    let words = document?["detail"]?.string ?? document?["title"]?.string
    let lines = words.map { $0.split(separator: "\n").map { String($0).printable } }
    let text = lines?.joined(separator: "\n") ?? "the server answered \(answer.status)"
    let code = document?["code"]?.string.flatMap { ProblemCode(rawValue: $0) }
    return ServiceError(text, kind(of: code) ?? kind(ofStatus: answer.status))
  }

  /// Returns `nil` where only the status is known, as for a code of a later version.
  private static func kind(of code: ProblemCode?) -> FailureKind? {
    switch code {
    case .badRequest, .unknownParameter, .invalidParameter, .invalidQuery, .invalidCursor,
      .invalidDocument, .invalidBody, .unprocessableContent:
      .wrongUsage
    case .tokenMissing, .tokenInvalid, .scopeMissing, .otherApp, .forbidden: .notAllowed
    case .notFound: .notFound
    case .busy, .storageFull, .storageFailed: .unreachable
    case .conflict, .ambiguousID, .rateLimited, .preconditionFailed, .internalError: .failed
    default: nil
    }
  }

  private static func kind(ofStatus status: Int) -> FailureKind {
    switch status {
    case 400, 422: .wrongUsage
    case 401, 403: .notAllowed
    case 404: .notFound
    case 502...504: .unreachable
    default: .failed
    }
  }

  package func ask(
    _ method: String, _ path: String, _ query: [(name: String, value: String?)] = [],
    _ write: ((inout JSONWriter) -> Void)? = nil
  ) throws -> DecodedResponse {
    let body = write.map { write in
      var writer = JSONWriter()
      writer.beginObject()
      write(&writer)
      writer.endObject()
      return ByteView(writer.takeBytes())
    }
    return try decoded(bytes(method, path, query, body: body))
  }

  /// Sends a file.
  package func send(
    _ file: ByteView, to path: String, _ query: [(name: String, value: String?)]
  ) throws -> DecodedResponse {
    try decoded(bytes("POST", path, query, body: file, type: "application/octet-stream"))
  }

  private func decoded(_ bytes: ByteView) throws -> DecodedResponse {
    guard let parse = try? JSONDocument.parse(bytes), parse.cut == nil else {
      throw ServiceError("\(server.printable): not a Mayday server")
    }
    return DecodedResponse(parse.value)
  }

  /// Returns a name as a component of a path: an empty name or dots alone would change the path.
  static func name(_ part: String) throws -> String {
    guard !part.isEmpty else {
      throw ServiceError("there is no group or report named ''", .notFound)
    }
    return part.allSatisfy { $0 == "." }
      ? String(repeating: "%2E", count: part.count) : ServerAddress.escaped(part)
  }

  // MARK: Lists

  package func apps() throws -> [AppRecord] {
    try all("/apps") { try AppRecord($0) }
  }

  package func groups(_ query: GroupQuery) throws -> Page<GroupSummary> {
    let order = GroupOrder.allCases.first { $0.order == query.order } ?? .reports
    return try page(
      "/groups", query.query, sort: (query.isReversed ? "-" : "") + order.rawValue,
      limit: query.limit, after: query.after
    ) { try GroupSummary($0) }
  }

  package func reports(_ query: ReportQuery) throws -> Page<ReportSummary> {
    let order = ReportOrder.allCases.first { $0.order == query.order } ?? .time
    return try page(
      "/reports", query.query, sort: (query.isReversed ? "-" : "") + order.rawValue,
      limit: query.limit, after: query.after
    ) { try ReportSummary($0) }
  }

  /// All elements of a list, in as many pages as it takes.
  func all<Item>(
    _ path: String, _ query: [(name: String, value: String?)] = [], limit: Int? = nil,
    _ read: (DecodedResponse) throws -> Item
  ) throws -> (items: [Item], total: Int) {
    var items: [Item] = []
    var next: String?
    while true {
      let wanted = min(limit.map { $0 - items.count } ?? Self.partSize, Self.partSize)
      let part = try ask(
        "GET", path, query + [("limit", "\(wanted)"), ("after", next)])
      let found = try part.list("items", read)
      items += found
      next = found.isEmpty ? nil : try part.maybeText("next")
      guard next != nil, items.count < limit ?? .max else {
        return (items, try part.count("total"))
      }
    }
  }

  private func all<Item>(
    _ path: String, _ query: [(name: String, value: String?)] = [],
    _ read: (DecodedResponse) throws -> Item
  ) throws -> [Item] {
    try all(path, query, limit: nil, read).items
  }

  /// Returns a page, reading as many pages of the server as needed.
  private func page<Item>(
    _ path: String, _ query: Query, sort: String, limit: Int?, after: String?,
    _ read: (DecodedResponse) throws -> Item
  ) throws -> Page<Item> {
    var page = Page<Item>(next: after)
    repeat {
      let left = limit.map { $0 - page.items.count } ?? Self.partSize
      let part = try ask(
        "GET", path,
        [
          ("query", query.text), ("sort", sort), ("limit", String(min(left, Self.partSize))),
          ("after", page.next),
        ])
      let items = try part.list("items", read)
      page.items += items
      page.total = try part.count("total")
      page.next = items.isEmpty ? nil : try part.maybeText("next")
    } while page.next != nil && page.items.count < limit ?? .max
    return page
  }

  package func histogram(
    of query: Query, by field: QueryField, countsGroups: Bool, limit: Int?
  ) throws -> Histogram {
    let answer = try ask(
      "GET", countsGroups ? "/groups/counts" : "/reports/counts",
      [("by", field.name), ("query", query.text), ("limit", limit.map { String($0) })])
    var histogram = try Histogram(answer)
    histogram.field = field.name
    histogram.countsGroups = countsGroups
    return histogram
  }

  package func trend(
    of query: Query, from first: Timestamp?, through last: Timestamp?
  ) throws -> [TrendPoint] {
    let answer = try ask(
      "GET", "/reports/trend",
      [
        ("query", query.text), ("from", first.map { GroupText.day($0) }),
        ("to", last.map { GroupText.day($0) }),
      ])
    return try answer.list("items") { try TrendPoint($0) }
  }

  package func dailyReports(
    of query: Query, inGroups ids: [String], days: Range<Int>
  ) throws -> [String: [Int: Int]] {
    var counts: [String: [Int: Int]] = [:]
    var rest = ids[...]
    while !rest.isEmpty {
      let part = rest.prefix(100)
      rest = rest.dropFirst(part.count)
      let answer = try ask(
        "GET", "/groups/trend",
        [
          ("groups", part.joined(separator: ",")), ("query", query.text),
          ("from", GroupText.day(TrendWindow.midnight(days.lowerBound))),
          ("to", GroupText.day(TrendWindow.midnight(days.upperBound - 1))),
        ])
      for group in try answer.list("items", { $0 }) {
        let days = try group.list("days") { day in
          let point = try TrendPoint(day)
          return (TrendWindow.day(point.day), point.reports)
        }
        counts[try group.text("group")] = Dictionary(days, uniquingKeysWith: +)
      }
    }
    return counts
  }

  // MARK: Single items

  package func group(_ id: String, sourceLines lines: Int?) throws -> GroupOverview {
    try GroupOverview(
      ask("GET", "/groups/\(try Self.name(id))", [("source", lines.map { String($0) })]))
  }

  package func report(_ id: String, sourceLines lines: Int?) throws -> StoredReport {
    try StoredReport(
      ask("GET", "/reports/\(try Self.name(id))", [("source", lines.map { String($0) })]).value)
  }

  package func submission(ofReport id: String) throws -> ByteView {
    try bytes("GET", "/reports/\(try Self.name(id))/raw")
  }

  package func attachment(_ name: String, of report: StoredReport) throws -> (Attachment, ByteView)
  {
    let attachment = try report.attachment(named: name)
    let path = "/reports/\(try Self.name(report.id))/attachments/\(try Self.name(name))"
    return (attachment, try bytes("GET", path))
  }

  package func versions(ofReport id: String) throws -> ReportVersions {
    try ReportVersions(ask("GET", "/reports/\(try Self.name(id))/versions"))
  }

  package func document(ofReport id: String, version number: Int?) throws -> StoredReport {
    guard let number else { return try report(id, sourceLines: nil) }
    return try StoredReport(ask("GET", "/reports/\(try Self.name(id))/versions/\(number)").value)
  }

  package func archive(ofReport id: String) throws -> ByteView {
    try bytes("GET", "/reports/\(try Self.name(id))/archive")
  }

  package func membership(ofReport id: String) throws -> (
    app: String, membership: Explanation.Membership
  ) {
    let place = try ReportGroup(ask("GET", "/reports/\(try Self.name(id))/place"))
    return (place.app, place.membership)
  }

  package func keys(ofGroup id: String) throws -> [GroupKey] {
    try ask("GET", "/groups/\(try Self.name(id))/keys").elements { try GroupKey($0) }
  }

  // MARK: Decisions

  package func decide(
    _ decision: GroupDecision, about ids: [String], by author: String
  ) throws -> DecidedGroups {
    try DecidedGroups(
      ask("POST", "/actions/\(decision.action.rawValue)") { writer in
        writer.member("groups", ids)
        decision.writeMembers(to: &writer)
      })
  }

  // MARK: Apps

  package func addApp(_ name: String, secret: String?) throws {
    _ = try ask("POST", "/apps") { writer in
      writer.member("name", name)
      writer.member("secret", secret)
    }
  }

  package func adoptApp(secret start: String, as name: String) throws {
    _ = try ask("POST", "/apps/adopt") { writer in
      writer.member("secret", start)
      writer.member("name", name)
    }
  }

  package func renameApp(_ old: String, to name: String) throws {
    _ = try ask("POST", "/apps/rename") { writer in
      writer.member("name", old)
      writer.member("to", name)
    }
  }

  package func setPrefix(_ prefix: String, of app: String) throws {
    _ = try ask("PUT", "/apps/prefix") { writer in
      writer.member("name", app)
      writer.member("prefix", prefix)
    }
  }

  package func setLinking(_ policy: LinkPolicy, of app: String) throws {
    _ = try ask("PUT", "/apps/link") { writer in
      writer.member("name", app)
      writer.member("link", policy.text)
    }
  }

  package func setRetention(_ retention: Retention, of app: String) throws {
    _ = try ask("PUT", "/apps/keep") { writer in
      writer.member("name", app)
      writer.member("days", retention.days)
      writer.member("bytes", retention.bytes)
      writer.member("per_group", retention.perGroup)
      writer.member("per_day", retention.perDay)
    }
  }

  // MARK: Releases

  package func releases(of app: String?) throws -> [ReleaseRecord] {
    try all("/releases", [("app", app)]) { try ReleaseRecord($0) }
  }

  package func addReleases(_ releases: [Release], to app: String) throws -> [ReleaseRecord] {
    try change("POST", "/releases", releases, of: app)
  }

  package func removeReleases(_ releases: [Release], of app: String) throws -> [ReleaseRecord] {
    try change("POST", "/releases/remove", releases, of: app)
  }

  package func orderReleases(_ releases: [Release], of app: String) throws -> [ReleaseRecord] {
    try change("PUT", "/releases/order", releases, of: app)
  }

  package func figures(of release: Release, app: String?, days: Int?) throws -> ReleaseFigures {
    try ReleaseFigures(
      ask(
        "GET", "/releases/figures",
        [("version", release.name), ("app", app), ("days", days.map(String.init))]))
  }

  package func rollouts(of release: Release, app: String?) throws -> [ReleaseRollout] {
    try ask("GET", "/releases/rollout", [("version", release.name), ("app", app)])
      .elements { try ReleaseRollout($0) }
  }

  package func rollOut(
    _ release: Release, app: String?, _ change: RolloutChange, by author: String
  ) throws -> [ReleaseRollout] {
    try ask("POST", "/releases/rollout") { writer in
      writer.member("version", release.name)
      writer.member("app", app)
      switch change {
      case .share(let percent): writer.member("percent", percent)
      case .pause: writer.member("action", "pause")
      case .resume: writer.member("action", "resume")
      case .look: writer.member("action", "check")
      }
    }.elements { try ReleaseRollout($0) }
  }

  package func setKnownFixPolicy(
    _ policy: KnownFixPolicy, of app: String, by author: String
  ) throws {
    _ = try ask("PUT", "/apps/known-fix") { writer in
      writer.member("name", app)
      writer.member("policy", policy.rawValue)
    }
  }

  private func change(
    _ method: String, _ path: String, _ releases: [Release], of app: String
  ) throws -> [ReleaseRecord] {
    try ask(method, path) { writer in
      writer.member("app", app)
      writer.member("releases", releases.map(\.name))
    }.elements { try ReleaseRecord($0) }
  }

  // MARK: Debug files

  package func debugFiles(of id: String, architecture: String?) throws -> [JSONValue] {
    try ask("GET", "/symbols/\(try Self.name(id))", [("arch", architecture)]).elements(\.value)
  }

  package func debugFiles() throws -> [DebugFileRecord] {
    try all("/symbols") { try DebugFileRecord($0) }
  }

  package func missingImages(
    of query: Query?, app: String?, limit: Int?
  ) throws -> (images: [MissingImage], total: Int) {
    let (images, total) = try all(
      "/symbols/missing", [("query", query?.text), ("app", app)], limit: limit
    ) { try MissingImage($0) }
    return (images, total)
  }

  // MARK: Figures

  package func stats(of app: String?) throws -> StoreStatistics {
    try StoreStatistics(ask("GET", "/stats", [("app", app)]))
  }

  package func ledger(of app: String?) throws -> Ledger {
    try Ledger(ask("GET", "/ledger", [("app", app)]))
  }

  package func crashFree(
    of app: String?, from first: Timestamp?, to last: Timestamp?, version: String?
  ) throws -> [AppCrashFree] {
    try all(
      "/sessions",
      [
        ("app", app), ("from", first.map { GroupText.day($0) }),
        ("to", last.map { GroupText.day($0) }), ("version", version),
      ]
    ) { try AppCrashFree($0) }
  }

  // MARK: Tokens

  package func tokens() throws -> [Token] { try all("/tokens") { try Token($0) } }

  package func makeToken(
    label: String, scopes: Set<TokenScope>, app: String?, for length: TimeLength?
  ) throws -> (token: Token, text: String) {
    let made = try NewToken(
      ask("POST", "/tokens") { writer in
        writer.member("label", label)
        writer.member("scopes", scopes.map(\.rawValue).sorted())
        writer.member("app", app)
        writer.member("for", length?.argument)
      })
    return (made.token, made.text)
  }

  package func revokeToken(_ id: String) throws {
    _ = try bytes("DELETE", "/tokens/\(try Self.name(id))")
  }
}
