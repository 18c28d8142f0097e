internal import CrashService
internal import CrashStore
internal import HTTP
internal import ServerCore
internal import ServerStore
internal import Updates

/// The sessions of testers' browsers: begun by accepting an invitation, one per app, named by cookies.
struct TesterSessions: Sendable {
  private let context: ServerContext

  init(context: ServerContext) { self.context = context }

  /// Returns the testers that the browser is signed in as, one per app.
  func testers(_ head: RequestHead) throws -> [CrashStore.Distribution.Holder] {
    try TesterCookie.sessions(of: head).compactMap {
      try context.store.distribution.holder(of: $0.text, .session)
    }
  }

  /// Accepts an invitation and signs the browser in.
  ///
  /// - Returns: The header field that sets the cookie; `nil` if there is no such invitation.
  func signIn(_ code: String, _ head: RequestHead) throws -> String? {
    let tester: Tester
    let app: String
    do throws(any Error) {
      (app, tester) = try context.store.distribution.acceptInvitation(code)
    } catch DistributionError.noInvitation {
      return nil
    }
    let text = try context.store.distribution.makeSecret(
      .session, forTester: tester.id, of: app, lifetime: TesterCookie.lifetime)
    try context.updates.refresh()
    try note("accept invitation", app, tester.email, head)
    return TesterCookie.field(TesterCookie.name(ofTester: tester.id), text, for: head)
  }

  /// Ends all sessions of the browser.
  ///
  /// - Returns: The header fields that delete their cookies.
  func signOut(_ head: RequestHead) throws -> [String] {
    try TesterCookie.sessions(of: head).map { name, text in
      try context.store.distribution.endSession(text)
      return TesterCookie.field(name, nil, for: head)
    }
  }

  private func note(
    _ action: String, _ app: String, _ email: String, _ head: RequestHead
  ) throws {
    try context.audit.note(
      .init(
        time: .now, token: "tester", label: email, action: action, subject: app, peer: head.peer))
  }
}
