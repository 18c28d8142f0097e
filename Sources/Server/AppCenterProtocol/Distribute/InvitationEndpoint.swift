internal import CrashStore
package import HTTP
internal import Rendering
package import ServerCore

/// The page of an invitation, on which a tester's browser accepts it once.
package struct InvitationEndpoint: Sendable {
  private let context: ServerContext
  private let formGuard: TesterFormGuard
  private let sessions: TesterSessions

  package init(context: ServerContext) {
    self.context = context
    formGuard = TesterFormGuard(context: context)
    sessions = TesterSessions(context: context)
  }

  package func add(to router: inout Router, below prefix: String) {
    let page = prefix + "/install/invitations/:invitation_token"
    router.get(page) { try invitation($0) }
    router.post(page, body: .memory(limit: TesterFormGuard.bodyLimit)) { try accept($0) }
  }

  /// Shows the invitation with a button. Programs that scan mail open its links, so this changes nothing.
  private func invitation(_ request: Request) throws -> Response {
    let code = request.parameters["invitation_token"] ?? ""
    guard let invitation = try context.store.distribution.holder(of: code, .invitation) else {
      return Self.noInvitation
    }
    return TesterPage(
      "Test \(invitation.app)",
      """
      <p>\(invitation.email) is invited to try releases of \(invitation.app) before others get them.</p>
      <form method="post"><button>Accept the invitation</button></form>
      <p class="quiet">Open this page on the device on which you use the app, in its usual browser.</p>
      """
    ).response
  }

  private static let noInvitation = TesterPage(
    "This invitation is not valid",
    "<p>It was used, revoked or has expired. Ask for a new one.</p>",
    status: .notFound
  ).response

  private func accept(_ request: Request) throws -> Response {
    if let refusal = formGuard.refusal(ofForm: request.head) { return refusal }
    guard
      let cookie = try sessions.signIn(request.parameters["invitation_token"] ?? "", request.head)
    else {
      // A user who pressed the button twice is signed in.
      guard try sessions.testers(request.head).isEmpty else {
        return .empty(
          .seeOther, headers: ["Location": MountPoint.path(of: request.head) + "/install"])
      }
      return Self.noInvitation
    }
    return .empty(
      .seeOther,
      headers: [
        "Location": MountPoint.path(of: request.head) + "/install", "Set-Cookie": cookie,
      ])
  }
}
