internal import Bytes
internal import CrashStore
package import HTTP
package import ServerCore
internal import Updates

/// The pages that an app opens in its tester's browser to get an update token.
package struct UpdateSetupEndpoint: Sendable {
  private let context: ServerContext
  private let formGuard: TesterFormGuard
  private let sessions: TesterSessions
  private let tokens: UpdateTokenIssuer

  package init(context: ServerContext) {
    self.context = context
    formGuard = TesterFormGuard(context: context)
    sessions = TesterSessions(context: context)
    tokens = UpdateTokenIssuer(context: context)
  }

  package func add(to router: inout Router, below prefix: String) {
    // SDKs before 3.0 leave out "private".
    for name in ["private-update-setup", "update-setup"] {
      let page = prefix + "/install/apps/:secret/" + name
      router.get(page) { try setUp($0) }
      router.post(page, body: .memory(limit: TesterFormGuard.bodyLimit)) { try acceptAndSetUp($0) }
    }
  }

  /// Returns to the app with an update token, or asks the tester to sign in.
  private func setUp(_ request: Request) throws -> Response {
    let setup: SetupRequest
    do throws(SetupRequest.Problem) {
      setup = try SetupRequest(request.head, in: context.updates.catalog)
    } catch {
      return SetupPages.problem(error)
    }
    guard
      let tester = try sessions.testers(request.head).first(where: { $0.app == setup.updates.app })?
        .tester,
      setup.updates.testers[tester]?.hasAccepted == true
    else { return SetupPages.signIn(setup) }
    let offer = setup.updates.newest(
      for: .tester(tester), on: setup.platforms, installation: tester, by: .addition)
    // A failure would be for good: the SDK then offers not to ask again for this build.
    guard let group = offer?.destination.id ?? setup.updates.privateGroup(of: tester) else {
      let message = "no release of \(setup.updates.app) for this tester"
      guard setup.redirectsFailure else {
        return SetupPages.noRelease(setup)
      }
      return SetupPages.handOver(setup, setup.failure(message))
    }
    if let refusal = formGuard.tooMany(request.head) { return refusal }
    let token = try tokens.token(for: setup, tester)
    return SetupPages.handOver(setup, setup.success(group: group, token: token))
  }

  /// Accepts an invitation's code, then continues as if the browser had been signed in.
  private func acceptAndSetUp(_ request: Request) throws -> Response {
    let setup: SetupRequest
    do throws(SetupRequest.Problem) {
      setup = try SetupRequest(request.head, in: context.updates.catalog)
    } catch {
      return SetupPages.problem(error)
    }
    if let refusal = formGuard.refusal(ofForm: request.head) { return refusal }
    let form = QueryItems(form: request.bytes.text)
    guard let cookie = try sessions.signIn(Self.code(form["code"] ?? ""), request.head) else {
      return SetupPages.signIn(setup, isWrong: true)
    }
    let query = request.query.items.map { $0.name.inAddress + "=" + $0.value.inAddress }
    let path = request.segments.map { "/" + $0.inAddress }.joined()
    return .empty(
      .seeOther,
      headers: ["Location": path + "?" + query.joined(separator: "&"), "Set-Cookie": cookie])
  }

  /// Returns the code; for a whole link, its last part.
  private static func code(_ text: String) -> String {
    let word = text.split(whereSeparator: \.isWhitespace).first ?? ""
    return word.split(separator: "/").last.map(String.init) ?? ""
  }
}

extension AppUpdates {
  /// The first private group of a tester, by name.
  fileprivate func privateGroup(of tester: String) -> String? {
    (testers[tester]?.groups ?? []).compactMap { groups[$0] }.filter { !$0.isPublic }
      .min { ($0.name, $0.id) < ($1.name, $1.id) }?.id
  }
}
