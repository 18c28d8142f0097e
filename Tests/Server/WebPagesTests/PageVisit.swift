import Bytes
import CrashStore
import HTTP
import ServerStore
import TestSupport
import Testing

@testable import CrashService
@testable import MaydayCommands
@testable import ServerAPI
@testable import ServerCore
@testable import WebPages

/// A browser without scripts: it keeps cookies, sends forms and does not follow redirects by itself.
final class PageVisit {
  let context: ServerContext
  private let router: Router
  var cookie: String?
  /// The cookie of a form that came after the session had ended.
  var unsent: String?
  /// The `Sec-Fetch-Site` header, in which browsers report the origin of a form.
  var site = "same-origin"
  /// The headers of a proxy, and whether it is trusted.
  var proxyHeaders: Headers = [:]
  var isBehindTrustedProxy = false

  /// - Parameter home: The home of the server.
  init(home: String, signIn: SignInSettings = SignInSettings()) throws {
    context = try ServerContext(
      home: home, store: try CrashStore(opening: home), limits: IntakeLimits(), rate: 0,
      unknownApps: .keep, unknownAppLimit: 10, signIn: signIn)
    router = ServerRoutes.router(of: context, protocols: ServedProtocols.all)
  }

  private init(sharing other: PageVisit) {
    context = other.context
    router = other.router
  }

  /// Another browser on the same server.
  func another() -> PageVisit { PageVisit(sharing: self) }

  struct Answer {
    let status: Int
    let headers: Headers
    let text: String

    var location: String? { headers["Location"] }

    /// The value of the first hidden field with a name.
    func field(_ name: String) -> String? {
      guard let start = text.firstRange(of: "name=\"\(name)\" value=\"") else { return nil }
      return String(text[start.upperBound...].prefix { $0 != "\"" })
    }
  }

  private func ask(_ request: Request) -> Answer {
    var request = request
    request.isFromTrustedProxy = isBehindTrustedProxy
    for field in proxyHeaders.fields { request.headers.add(field.name, field.value) }
    let response = router.respond(to: request)
    for set in response.headers.values(of: "Set-Cookie") {
      let pair = String(set.prefix { $0 != ";" })
      if pair.hasPrefix("mayday=") { cookie = pair.hasSuffix("=") ? nil : pair }
      if pair.hasPrefix("mayday-form=") { unsent = pair.hasSuffix("=") ? nil : pair }
    }
    let text = if case .bytes(let bytes) = response.content { bytes.text } else { "" }
    return Answer(status: response.status.code, headers: response.headers, text: text)
  }

  private var cookies: String? {
    let all = [cookie, unsent].compactMap(\.self)
    return all.isEmpty ? nil : all.joined(separator: "; ")
  }

  func get(_ path: String, accept: String? = nil) -> Answer {
    var headers: Headers = ["Host": "127.0.0.1:8080"]
    if let accept { headers["Accept"] = accept }
    if let cookies { headers["Cookie"] = cookies }
    return ask(Request("GET", path, headers: headers))
  }

  func post(_ path: String, _ fields: [(String, String)]) -> Answer {
    var headers: Headers = [
      "Host": "127.0.0.1:8080", "Content-Type": "application/x-www-form-urlencoded",
      "Sec-Fetch-Site": site,
    ]
    if let cookies { headers["Cookie"] = cookies }
    let body = fields.map { "\($0.0)=\($0.1.inAddress)" }.joined(separator: "&")
    headers["Content-Length"] = "\(body.utf8.count)"
    return ask(Request("POST", path, headers: headers, body: Array(body.utf8)))
  }

  /// Sends a form with files, as the server has divided it into its parts.
  func post(_ path: String, parts: [FormPart]) -> Answer {
    var headers: Headers = ["Host": "127.0.0.1:8080", "Sec-Fetch-Site": site]
    if let cookie { headers["Cookie"] = cookie }
    return ask(
      Request(RequestHead("POST", path, headers: headers), body: .parts(parts)))
  }

  /// Sends a JSON document with the key of an app, as an app does.
  func send(_ path: String, key: String, body: String) -> Answer {
    ask(
      Request(
        "POST", path, headers: ["X-App-Key": key, "Content-Type": "application/json"],
        body: Array(body.utf8)))
  }

  /// Creates an account and signs in.
  @discardableResult
  func signIn(_ name: String = "ann", _ role: Account.Role = .triage, app: String? = nil) throws
    -> Answer
  {
    _ = try context.accounts.add(name, role: role, app: app, now: .now)
    let code = try context.accounts.makeLink(for: name, now: .now)
    return post("/sign-in", [("code", code)])
  }

  /// Sends a form of a page with its form token.
  func send(_ path: String, from page: String, _ fields: [(String, String)] = []) throws -> Answer {
    let token = try #require(get(page).field("form"))
    return post(path, [("form", token)] + fields)
  }
}
