internal import CrashStore
internal import ServerCore
internal import Updates

/// Issues the update tokens with which a tester's app checks for updates of private groups.
struct UpdateTokenIssuer: Sendable {
  private let context: ServerContext
  /// The tokens of the last minutes: a page reload, or an app that was not ready, may need the same redirect
  /// again.
  private let recent = RecentAnswers<String>(lifetime: 600, limit: 10_000)

  init(context: ServerContext) { self.context = context }

  /// Returns an update token: for some minutes the same one for the same request of a tester, if still valid.
  func token(for setup: SetupRequest, _ tester: String) throws -> String {
    let question = "\(setup.updates.app)\n\(tester)\n\(setup.id)"
    if let token = recent.answer(to: question),
      context.updates.catalog.token(token) != nil
    {
      return token
    }
    let token = try context.store.distribution.makeSecret(
      .update, forTester: tester, of: setup.updates.app, lifetime: nil)
    try context.updates.refresh()
    recent.keep(token, for: question)
    return token
  }
}
