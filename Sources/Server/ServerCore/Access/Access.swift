internal import Bytes
internal import CrashService
package import CrashStore
package import HTTP
package import ServerStore

/// Authorization of requests.
///
/// Tokens are sent as `Authorization: Bearer`, as the password of `Basic`, or as `X-API-Token`. The key of an
/// app (`X-App-Key`), which is compiled into the app, may also submit reports.
package final class Access: Sendable {
  /// An authorized sender of a request.
  package struct Caller: Sendable {
    /// The caller's name in the audit log.
    package let id: String
    package let label: String
    /// The only app that it is valid for; `nil` for all.
    package let app: String?
    /// The role that decides what it sees of reports.
    package let role: Account.Role

    package init(id: String, label: String, app: String?, role: Account.Role = .viewer) {
      self.id = id
      self.label = label
      self.app = app
      self.role = role
    }
  }

  /// The audit log's name for installations of an app, which use its key.
  package static let appCaller = "app"

  private let tokens: TokensTable
  private let store: CrashStore
  /// Valid tokens, kept separately so that made-up ones do not evict them.
  private let known = RecentAnswers<Token>(lifetime: memory, limit: limit)
  private let keys = RecentAnswers<String>(lifetime: memory, limit: limit)
  private let unknown = RecentAnswers<Bool>(lifetime: memory, limit: limit)

  /// Seconds for which a revoked token stays valid.
  private static let memory = 5.0
  /// The maximum number of remembered entries of each kind.
  private static let limit = 4_096

  package init(tokens: TokensTable, store: CrashStore) {
    self.tokens = tokens
    self.store = store
  }

  /// Returns an authorization for callers with `scope`.
  package func authorization(_ scope: TokenScope) -> Route.Authorization {
    { head in
      switch try self.caller(of: head, scope) {
      case .success: nil
      case .failure(let refusal): refusal.response
      }
    }
  }

  /// A refusal with its response.
  package struct Refused: Error {
    package let response: Response

    package init(response: Response) {
      self.response = response
    }
  }

  package func caller(
    of head: RequestHead, _ scope: TokenScope
  ) throws -> Result<Caller, Refused> {
    if scope == .ingest, let key = head.headers["X-App-Key"] {
      guard let app = try app(ofKey: key) else {
        return .failure(Refused(response: Self.unauthorized("no app has this key", .tokenInvalid)))
      }
      return .success(Caller(id: Self.appCaller, label: app, app: app))
    }
    guard let text = Self.token(in: head) else {
      return .failure(
        Refused(
          response: Self.unauthorized(
            "a token with the scope \(scope.rawValue) is needed", .tokenMissing)))
    }
    guard let token = try token(text) else {
      return .failure(
        Refused(
          response: Self.unauthorized("the token is unknown, revoked or expired", .tokenInvalid)))
    }
    guard token.allows(scope) else {
      let scopes = token.scopes.map(\.rawValue).sorted().joined(separator: ", ")
      return .failure(
        Refused(
          response: .problem(
            .forbidden, "the token may \(scopes); this needs \(scope.rawValue)", code: .scopeMissing
          )))
    }
    // A caller who manages tokens could create one for all apps.
    guard scope != .admin || token.app == nil else {
      return .failure(
        Refused(
          response: .problem(
            .forbidden, "the token is for one app; this is for all", code: .otherApp)))
    }
    return .success(
      Caller(id: token.id, label: token.label, app: token.app, role: token.role))
  }

  /// Whether the token with this id is valid and may read an app. It is looked up each time: an address
  /// signed for it expires with it.
  package func isGood(tokenWithID id: String, toRead app: String) throws -> Bool {
    guard let token = try tokens.token(id: id, now: .now) else { return false }
    return (token.app == nil || token.app == app)
      && (token.allows(.read) || token.allows(.releases))
  }

  /// Returns a request's sender, if it has one of `scopes`.
  package func caller(
    of head: RequestHead, oneOf scopes: [TokenScope]
  ) throws -> Result<Caller, Refused> {
    var found = try caller(of: head, scopes.first ?? .admin)
    for scope in scopes.dropFirst() {
      guard case .failure = found else { return found }
      found = try caller(of: head, scope)
    }
    return found
  }

  /// Returns a request's sender, if it may use the route.
  package func caller(
    of head: RequestHead, for access: RouteAccess
  ) throws -> Result<Caller, Refused> {
    let found = try caller(of: head, oneOf: access.scopes)
    guard case .success(let caller) = found else { return found }
    if caller.id == Self.appCaller, !access.takesAppKeys {
      return .failure(
        Refused(
          response: .problem(
            .forbidden, "a token is needed; an app key can only submit reports",
            code: .scopeMissing)))
    }
    if access.isOfAllApps, caller.app != nil {
      return .failure(
        Refused(
          response: .problem(
            .forbidden, "the token is for one app; this is for all", code: .otherApp)))
    }
    return found
  }

  /// Returns the only app that a request's token is valid for; `nil` for all.
  package func app(of head: RequestHead) throws -> String? {
    try Self.token(in: head).flatMap { try token($0)?.app }
  }

  /// Returns the role that decides what a request's sender sees of reports.
  package func role(of head: RequestHead) throws -> Account.Role {
    try Self.token(in: head).flatMap { try token($0)?.role } ?? .viewer
  }

  private static func unauthorized(_ detail: String, _ code: ProblemCode) -> Response {
    .problem(.unauthorized, detail, code: code, headers: ["WWW-Authenticate": "Bearer"])
  }

  private static func token(in head: RequestHead) -> String? {
    if let token = head.headers["X-API-Token"] { return token }
    guard let field = head.headers["Authorization"] else { return nil }
    // By bytes: characters of reversed texts took a sixth of a report's time.
    let blank = UInt8(ascii: " ")
    let words = field.utf8.split(separator: blank, maxSplits: 1).map(Substring.init)
    guard words.count == 2 else { return nil }
    switch words[0].lowercased() {
    case "bearer":
      var word = words[1].utf8
      while word.first == blank { word.removeFirst() }
      while word.last == blank { word.removeLast() }
      return String(Substring(word))
    case "basic":
      guard let bytes = Base64.decode(String(words[1])),
        let text = String(validating: bytes, as: UTF8.self)
      else { return nil }
      return text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).last
        .map(String.init)
    default: return nil
    }
  }

  private func token(_ text: String) throws -> Token? {
    guard TokensTable.isToken(text) else { return nil }
    if let token = known.answer(to: text) { return token }
    if unknown.answer(to: text) != nil { return nil }
    guard let token = try tokens.token(text, now: .now) else {
      unknown.keep(true, for: text)
      return nil
    }
    known.keep(token, for: text)
    return token
  }

  private func app(ofKey key: String) throws -> String? {
    guard AppRecord.isIntakeKey(key) else { return nil }
    if let app = keys.answer(to: key) { return app }
    if unknown.answer(to: key) != nil { return nil }
    guard let app = try store.apps.app(ofIntakeKey: key) else {
      unknown.keep(true, for: key)
      return nil
    }
    keys.keep(app, for: key)
    return app
  }
}
