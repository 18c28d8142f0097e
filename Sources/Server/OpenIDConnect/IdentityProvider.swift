internal import Bytes
internal import Files
internal import HTTPClient
public import Identifiers
internal import JSON
internal import Synchronization

/// An identity provider that signs people in with the authorization code flow of OpenID Connect and PKCE.
///
/// Source: OpenID Connect Core 1.0, section 3.1; RFC 7636; RFC 9207.
public final class IdentityProvider: Sendable {
  public let settings: ProviderSettings

  private struct Known {
    var document: (value: ProviderDocument, time: Double)?
    var keys: (value: KeySet, time: Double)?
    var present = 0
  }

  private let known = Mutex(Known())

  /// How long a description and keys are cached, in seconds.
  private static let lifetime = 3_600.0
  /// Minimum seconds between two requests for keys that were missing.
  private static let keyPause = 30.0
  /// How many sign-ins may contact the provider at a time; each holds a server thread.
  private static let width = 8
  /// Time limit for a response, in seconds.
  private static let patience = 10

  public init(_ settings: ProviderSettings) { self.settings = settings }

  // MARK: The way there

  /// Where the browser goes to sign in.
  ///
  /// - Parameter back: The redirect URI on this server.
  public func address(for flow: SignInFlow, back: String) throws -> String {
    let endpoint = try admitted { try document($0).authorization }
    let items = [
      ("response_type", "code"), ("client_id", settings.client), ("redirect_uri", back),
      ("scope", settings.scopes), ("state", flow.state), ("nonce", flow.nonce),
      ("code_challenge", flow.challenge), ("code_challenge_method", "S256"),
    ]
    return endpoint + (endpoint.contains("?") ? "&" : "?") + Self.form(items)
  }

  // MARK: The way back

  /// Exchanges the code from the browser for the identity that signed in.
  ///
  /// - Parameters:
  ///   - issuer: The issuer that the response names, if any.
  ///   - claims: The wanted claims; if the token lacks one, user info is requested.
  ///   - back: The redirect URI given to ``address(for:back:)``.
  /// - Throws: ``ProviderError``.
  public func identity(
    ofCode code: String, in flow: SignInFlow, issuer: String?, claims: [String], back: String,
    now: Timestamp
  ) throws -> Identity {
    guard issuer ?? settings.issuer == settings.issuer else {
      throw ProviderError.token("the response is from another issuer")
    }
    return try admitted { sender in
      let document = try document(sender)
      let answer = try tokens(code, flow, back, document, sender)
      guard let text = answer["id_token"]?.string else {
        throw ProviderError.unusable("it sent no ID token")
      }
      let token = try IDToken(text)
      guard try isSigned(token, document, sender) else {
        throw ProviderError.token("none of the provider's keys signed it")
      }
      try token.check(
        .init(issuer: settings.issuer, client: settings.client, nonce: flow.nonce, now: now))
      var found = token.claims
      if let endpoint = document.userInfo, let access = answer["access_token"]?.string,
        claims.contains(where: { found[$0] == nil })
      {
        let more = try userInfo(endpoint, access, sender)
        // Otherwise, another person's access token would be accepted.
        guard more["sub"]?.string == found["sub"]?.string else {
          throw ProviderError.token("its user info belongs to another person")
        }
        found = .object((found.object ?? []) + (more.object ?? []))
      }
      return Identity(subject: found["sub"]?.string ?? "", claims: found)
    }
  }

  private func tokens(
    _ code: String, _ flow: SignInFlow, _ back: String, _ document: ProviderDocument,
    _ sender: WebSender
  ) throws -> JSONValue {
    var items = [
      ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", back),
      ("client_id", settings.client), ("code_verifier", flow.verifier),
    ]
    var headers = [
      "Content-Type: application/x-www-form-urlencoded", "Accept: application/json",
    ]
    if let secret = settings.secret {
      if document.wantsSecretInBody {
        items.append(("client_secret", secret))
      } else {
        // Source: RFC 6749 2.3.1.
        let pair = Self.encoded(settings.client) + ":" + Self.encoded(secret)
        headers.append("Authorization: Basic " + Base64.encode(Array(pair.utf8)))
      }
    }
    let (status, body) = try answer(
      WebRequest(
        "POST", document.token, headers: headers, body: ByteView(Self.form(items).utf8)), sender)
    let value = JSONValue(ofProvider: body)
    guard status == 200 else {
      let words = [value?["error"]?.string, value?["error_description"]?.string].compactMap { $0 }
      throw ProviderError.refused(
        words.isEmpty ? "status \(status)" : String(words.joined(separator: ": ").prefix(300)))
    }
    guard let value else { throw ProviderError.unusable("its token response is not JSON") }
    return value
  }

  private func userInfo(_ endpoint: String, _ access: String, _ sender: WebSender) throws
    -> JSONValue
  {
    guard access.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
      throw ProviderError.unusable("its access token has invalid characters")
    }
    let (status, body) = try answer(
      WebRequest(
        "GET", endpoint, headers: ["Authorization: Bearer " + access, "Accept: application/json"]),
      sender)
    guard status == 200, let value = JSONValue(ofProvider: body) else {
      throw ProviderError.unusable("its user info is not JSON, or has status \(status)")
    }
    return value
  }

  // MARK: What is known of it

  private func document(_ sender: WebSender) throws -> ProviderDocument {
    let now = SteadyClock.seconds
    if let known = known.withLock({ $0.document }), now - known.time < Self.lifetime {
      return known.value
    }
    let base = settings.issuer.hasSuffix("/") ? String(settings.issuer.dropLast()) : settings.issuer
    let (status, body) = try answer(
      WebRequest("GET", base + "/.well-known/openid-configuration"), sender)
    guard status == 200 else {
      throw ProviderError.unusable("its description has status \(status)")
    }
    let found = try ProviderDocument(body, issuer: settings.issuer)
    known.withLock { $0.document = (found, now) }
    return found
  }

  /// Whether a key of the provider signed a token. If no cached key did, newer keys are requested.
  private func isSigned(
    _ token: IDToken, _ document: ProviderDocument, _ sender: WebSender
  ) throws -> Bool {
    let now = SteadyClock.seconds
    if let known = known.withLock({ $0.keys }), now - known.time < Self.lifetime {
      if token.isSigned(by: known.value) { return true }
      if now - known.time < Self.keyPause { return false }
    }
    let (status, body) = try answer(WebRequest("GET", document.keys), sender)
    guard status == 200 else { throw ProviderError.unusable("its key set has status \(status)") }
    let keys = try KeySet(body)
    known.withLock { $0.keys = (keys, now) }
    return token.isSigned(by: keys)
  }

  // MARK: Requests

  private func admitted<Result>(_ body: (WebSender) throws -> Result) throws -> Result {
    let isAdmitted = known.withLock { known in
      guard known.present < Self.width else { return false }
      known.present += 1
      return true
    }
    guard isAdmitted else { throw ProviderError.busy }
    defer { known.withLock { $0.present -= 1 } }
    // One attempt only: a browser is waiting, and its user can try again.
    var plan = RetryPlan()
    plan.tries = 1
    let sender: WebSender
    do {
      sender = try WebSender(
        agent: "mayday", plan: plan, authorities: settings.authorities, timeLimit: Self.patience)
    } catch {
      throw ProviderError.unreachable(error.description)
    }
    return try body(sender)
  }

  private func answer(
    _ request: WebRequest, _ sender: WebSender
  ) throws -> (status: Int, body: ByteView) {
    var request = request
    request.answerLimit = 1 << 20
    let answer: WebResponse
    do {
      answer = try sender.send(request)
    } catch {
      throw ProviderError.unreachable(error.description)
    }
    guard !answer.isCut else { throw ProviderError.unusable("the response is larger than 1 MiB") }
    return (answer.status, answer.body)
  }

  private static func form(_ items: [(String, String)]) -> String {
    items.map { "\($0.0)=\(encoded($0.1))" }.joined(separator: "&")
  }

  /// Percent-encodes everything except unreserved characters (RFC 3986 2.3).
  private static func encoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e: bytes.append(byte)
      default: bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
