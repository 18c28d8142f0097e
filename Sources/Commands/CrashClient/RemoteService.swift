package import APIDocuments
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

  /// Returns the response to a call.
  ///
  /// - Parameters:
  ///   - parts: The values of the path's parameters.
  ///   - query: Values that are `nil` are left out.
  func bytes(
    _ call: APICall, _ parts: [String] = [], query: [APICall.QueryItem] = [],
    body: ByteView? = nil, type: String = "application/json"
  ) throws -> ByteView {
    var headers = ["Accept: application/json"]
    if let token { headers.append("Authorization: Bearer \(token)") }
    if body != nil { headers.append("Content-Type: \(type)") }
    var request = try WebRequest(
      call.method, server + call.address(parts, query), headers: headers, body: body)
    request.answerLimit = Self.answerLimit
    let answer: WebResponse
    do throws(WebError) {
      answer = try sender.send(request)
    } catch {
      throw ServiceError("\(server.printable): \(error.description.printable)", .unreachable)
    }
    guard (200...299).contains(answer.status) else { throw failure(answer) }
    guard !answer.isCut else {
      throw ServiceError("\(server.printable): the answer is larger than 128 MB")
    }
    return answer.body
  }

  /// Returns the error for a refusal: the server's text, with the exit status that the same error has on a
  /// home.
  private func failure(_ answer: WebResponse) -> ServiceError {
    let document = try? JSONDocument.parse(answer.body).value
    // A missing item is named; only a missing route is not.
    let title = answer.status == 404 ? nil : document?["title"]?.string
    guard let words = document?["detail"]?.string ?? title else {
      return foreign(answer.status)
    }
    var lines = words.split(separator: "\n").map { String($0).printable }
    let code = document?["code"]?.string.flatMap { ProblemCode(rawValue: $0) }
    lines += TokenAdvice.lines(for: code)
    return ServiceError(
      lines.joined(separator: "\n"), Self.kind(of: code) ?? Self.kind(ofStatus: answer.status))
  }

  /// Returns the error for an answer that another server gave.
  private func foreign(_ status: Int) -> ServiceError {
    let server = server.printable
    return switch status {
    case 500...599:
      ServiceError("\(server): the server answered \(status)", Self.kind(ofStatus: status))
    case 300...399:
      ServiceError("\(server): the server sends elsewhere (\(status)): is this its address?")
    default:
      ServiceError(
        "\(server): not a Mayday server, or not its address: it answered \(status)",
        Self.kind(ofStatus: status))
    }
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

  /// Returns the document with which the server answers a call.
  func ask(
    _ call: APICall, _ parts: String..., query: [APICall.QueryItem] = []
  ) throws -> DecodedResponse {
    try decoded(bytes(call, parts, query: query))
  }

  /// Returns the document with which the server answers a call with a body.
  func ask<Body: Documented>(
    _ call: APICall, _ parts: String..., sending body: Body
  ) throws -> DecodedResponse {
    try decoded(bytes(call, parts, body: call.body(body, as: Body.declaration)))
  }

  /// Makes a call with a body to which the server answers without one.
  func change<Body: Documented>(_ call: APICall, sending body: Body) throws {
    _ = try bytes(call, body: call.body(body, as: Body.declaration))
  }

  func decoded(_ bytes: ByteView) throws -> DecodedResponse {
    guard let parse = try? JSONDocument.parse(bytes), parse.cut == nil else {
      throw ServiceError(
        "\(server.printable): not a Mayday server, or not its address: the answer is not JSON")
    }
    return DecodedResponse(parse.value)
  }

  // MARK: Lists

  package func apps() throws -> [AppRecord] {
    try all(.listApps) { try AppRecord($0) }.items
  }

  package func groups(_ query: GroupQuery) throws -> Page<GroupSummary> {
    let order = GroupOrder.allCases.first { $0.order == query.order } ?? .reports
    return try page(
      .listGroups, query.query, sort: (query.isReversed ? "-" : "") + order.rawValue,
      limit: query.limit, after: query.after, before: query.before,
      // A server of version 0.1.0 does not know the parameter.
      also: query.order == .change ? [("days", String(query.changeDays))] : []
    ) { try GroupSummary($0) }
  }

  package func reports(_ query: ReportQuery) throws -> Page<ReportSummary> {
    let order = ReportOrder.allCases.first { $0.order == query.order } ?? .time
    return try page(
      .listReports, query.query, sort: (query.isReversed ? "-" : "") + order.rawValue,
      limit: query.limit, after: query.after, before: query.before
    ) { try ReportSummary($0) }
  }

  /// All elements of a list, in as many pages as it takes.
  func all<Item>(
    _ call: APICall, _ parts: [String] = [], query: [APICall.QueryItem] = [], limit: Int? = nil,
    _ read: (DecodedResponse) throws -> Item
  ) throws -> (items: [Item], total: Int) {
    var items: [Item] = []
    var next: String?
    while true {
      let wanted = min(limit.map { $0 - items.count } ?? Self.partSize, Self.partSize)
      let part = try decoded(
        bytes(call, parts, query: query + [("limit", "\(wanted)"), ("after", next)]))
      let found = try part.list("items", read)
      items += found
      next = found.isEmpty ? nil : try part.maybeText("next")
      guard next != nil, items.count < limit ?? .max else {
        return (items, try part.count("total"))
      }
    }
  }

  /// Returns a page, reading as many pages of the server as needed; backwards from `before` where it is given.
  private func page<Item>(
    _ call: APICall, _ query: Query, sort: String, limit: Int?, after: String?, before: String?,
    also others: [APICall.QueryItem] = [], _ read: (DecodedResponse) throws -> Item
  ) throws -> Page<Item> {
    let isBackwards = before != nil
    var page = Page<Item>()
    var (next, previous) = (isBackwards ? nil : after, before)
    var isFirst = true
    repeat {
      let left = limit.map { $0 - page.items.count } ?? Self.partSize
      let part = try ask(
        call,
        query: [
          ("query", query.text), ("sort", sort), ("limit", String(min(left, Self.partSize))),
          ("after", isBackwards ? nil : next), ("before", isBackwards ? previous : nil),
        ] + others)
      let items = try part.list("items", read)
      page.items = isBackwards ? items + page.items : page.items + items
      page.total = try part.count("total")
      next = items.isEmpty ? nil : try part.maybeText("next")
      previous = items.isEmpty ? nil : try part.maybeText("previous")
      if !isBackwards || isFirst { page.next = next }
      if isBackwards || isFirst { page.previous = previous }
      isFirst = false
    } while (isBackwards ? previous : next) != nil && page.items.count < limit ?? .max
    return page
  }

  package func histogram(
    of query: Query, by field: QueryField, countsGroups: Bool, limit: Int?
  ) throws -> Histogram {
    let answer = try ask(
      countsGroups ? .countGroups : .countReports,
      query: [("by", field.name), ("query", query.text), ("limit", limit.map { String($0) })])
    var histogram = try Histogram(answer)
    histogram.field = field.name
    histogram.countsGroups = countsGroups
    return histogram
  }

  package func trend(
    of query: Query, from first: Timestamp?, through last: Timestamp?
  ) throws -> [TrendPoint] {
    let answer = try ask(
      .getTrend,
      query: [
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
        .getGroupTrends,
        query: [
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
      ask(.getGroup, id, query: [("source", lines.map { String($0) })]))
  }

  package func report(_ id: String, sourceLines lines: Int?) throws -> StoredReport {
    try StoredReport(
      ask(.getReport, id, query: [("source", lines.map { String($0) })]).value)
  }

  package func submission(ofReport id: String) throws -> ByteView {
    try bytes(.getSubmission, [id])
  }

  package func attachment(_ name: String, of report: StoredReport) throws -> (Attachment, ByteView)
  {
    let attachment = try report.attachment(named: name)
    return (attachment, try bytes(.getAttachment, [report.id, name]))
  }

  package func versions(ofReport id: String) throws -> ReportVersions {
    try ReportVersions(ask(.listVersions, id))
  }

  package func document(ofReport id: String, version number: Int?) throws -> StoredReport {
    guard let number else { return try report(id, sourceLines: nil) }
    return try StoredReport(ask(.getVersion, id, "\(number)").value)
  }

  package func archive(ofReport id: String) throws -> ByteView {
    try bytes(.getArchive, [id])
  }

  package func membership(ofReport id: String) throws -> (
    app: String, membership: Explanation.Membership
  ) {
    let place = try ReportGroup(ask(.getPlace, id))
    return (place.app, place.membership)
  }

  package func keys(ofGroup id: String) throws -> [GroupKey] {
    try ask(.listGroupKeys, id).elements { try GroupKey($0) }
  }

  // MARK: Decisions

  package func decide(
    _ decision: GroupDecision, about ids: [String], by author: String
  ) throws -> DecidedGroups {
    let call = APICall.actOnSeveral(decision.action)
    let body = DecisionRequest(decision, about: ids)
    return try DecidedGroups(
      decoded(bytes(call, body: call.body(body, as: DecisionRequest.several(decision.action)))))
  }

  // MARK: Apps

  package func addApp(_ name: String, secret: String?) throws {
    _ = try ask(.addApp, sending: NewApp(name: name, secret: secret))
  }

  package func adoptApp(secret start: String, as name: String) throws {
    _ = try ask(.adoptApp, sending: SecretAdoption(secret: start, name: name))
  }

  package func renameApp(_ old: String, to name: String) throws {
    _ = try ask(.renameApp, sending: AppRenaming(name: old, newName: name))
  }

  package func setPrefix(_ prefix: String, of app: String) throws {
    _ = try ask(.setPrefix, sending: AppPrefix(name: app, prefix: prefix))
  }

  package func setLinking(_ policy: LinkPolicy, of app: String) throws {
    _ = try ask(.setLinking, sending: AppLinking(name: app, policy: policy))
  }

  package func setTracker(_ tracker: TicketTracker?, of app: String) throws {
    if tracker?.token != nil {
      throw ServiceError(
        "a tracker's token is set on the server's machine: it names a file or a variable there",
        .wrongUsage)
    }
    _ = try ask(.setTracker, sending: AppTracker(name: app, tracker: tracker))
  }

  package func setProtection(_ protection: ReportProtection, of app: String) throws {
    _ = try ask(.setProtection, sending: AppProtection(name: app, protection: protection))
  }

  package func setRetention(_ retention: Retention, of app: String) throws {
    _ = try ask(.keepReports, sending: AppRetention(name: app, retention: retention))
  }

  // MARK: Releases

  package func releases(of app: String?) throws -> [ReleaseRecord] {
    try all(.listReleases, query: [("app", app)]) { try ReleaseRecord($0) }.items
  }

  package func addReleases(_ releases: [Release], to app: String) throws -> [ReleaseRecord] {
    try elements(ask(.addReleases, sending: NamedReleases(app: app, releases: releases)))
  }

  package func removeReleases(_ releases: [Release], of app: String) throws -> [ReleaseRecord] {
    try elements(ask(.removeReleases, sending: NamedReleases(app: app, releases: releases)))
  }

  package func orderReleases(_ releases: [Release], of app: String) throws -> [ReleaseRecord] {
    try elements(ask(.orderReleases, sending: NamedReleases(app: app, releases: releases)))
  }

  package func figures(of release: Release, app: String?, days: Int?) throws -> ReleaseFigures {
    try ReleaseFigures(
      ask(
        .getReleaseFigures,
        query: [("version", release.name), ("app", app), ("days", days.map(String.init))]))
  }

  package func rollouts(of release: Release, app: String?) throws -> [ReleaseRollout] {
    try ask(.getRollout, query: [("version", release.name), ("app", app)])
      .elements { try ReleaseRollout($0) }
  }

  package func rollOut(
    _ release: Release, app: String?, _ change: RolloutChange, by author: String
  ) throws -> [ReleaseRollout] {
    try ask(.rollOut, sending: RolloutRequest(release: release, app: app, change)).elements {
      try ReleaseRollout($0)
    }
  }

  package func setKnownFixPolicy(
    _ policy: KnownFixPolicy, of app: String, by author: String
  ) throws {
    _ = try ask(.setKnownFixPolicy, sending: AppKnownFixes(name: app, policy: policy))
  }

  private func elements(_ answer: DecodedResponse) throws -> [ReleaseRecord] {
    try answer.elements { try ReleaseRecord($0) }
  }

  // MARK: Debug files

  package func debugFiles(of id: String, architecture: String?) throws -> [JSONValue] {
    try ask(.showDebugFile, id, query: [("arch", architecture)]).elements(\.value)
  }

  package func debugFiles() throws -> [DebugFileRecord] {
    try all(.listDebugFiles) { try DebugFileRecord($0) }.items
  }

  package func missingImages(
    of query: Query?, app: String?, limit: Int?
  ) throws -> (images: [MissingImage], total: Int) {
    let (images, total) = try all(
      .listMissingImages, query: [("query", query?.text), ("app", app)], limit: limit
    ) { try MissingImage($0) }
    return (images, total)
  }

  // MARK: Figures

  package func stats(of app: String?) throws -> StoreStatistics {
    try StoreStatistics(ask(.getStats, query: [("app", app)]))
  }

  package func ledger(of app: String?) throws -> Ledger {
    try Ledger(ask(.getLedger, query: [("app", app)]))
  }

  package func crashFree(
    of app: String?, from first: Timestamp?, to last: Timestamp?, version: String?
  ) throws -> [AppCrashFree] {
    try all(
      .getSessions,
      query: [
        ("app", app), ("from", first.map { GroupText.day($0) }),
        ("to", last.map { GroupText.day($0) }), ("version", version),
      ]
    ) { try AppCrashFree($0) }.items
  }

  // MARK: Tokens

  package func tokens() throws -> [Token] { try all(.listTokens) { try Token($0) }.items }

  package func makeToken(
    label: String, scopes: Set<TokenScope>, app: String?, for length: TimeLength?
  ) throws -> (token: Token, text: String) {
    let made = try NewToken(
      ask(
        .makeToken,
        sending: TokenRequest(label: label, scopes: scopes, app: app, length: length)))
    return (made.token, made.text)
  }

  /// Asks for a token, which an account grants on a page.
  package func beginSignIn(named name: String) throws -> CommandSignIn {
    try CommandSignIn(ask(.beginSignIn, sending: CommandSignInRequest(name: name)))
  }

  /// Asks whether the token was granted.
  package func finishSignIn(_ started: CommandSignIn) throws -> CommandToken {
    try CommandToken(
      ask(.finishSignIn, sending: CommandTokenRequest(deviceCode: started.deviceCode)))
  }

  package func revokeToken(_ id: String) throws {
    _ = try bytes(.revokeToken, [id])
  }
}
