internal import Bytes
internal import CrashService
internal import CrashStore
package import HTTP
internal import Rendering
package import ServerCore
internal import ServerStore

/// The page on which a tester refuses mails, or wants them again. Its signed address is in each mail.
///
/// Sources: RFC 2369; RFC 8058, whose one-click request is a POST of `List-Unsubscribe=One-Click` without a
/// cookie, perhaps from another site.
package struct MailRefusalEndpoint: Sendable {
  private let context: ServerContext
  private let formGuard: TesterFormGuard

  package init(context: ServerContext) {
    self.context = context
    formGuard = TesterFormGuard(context: context)
  }

  package func add(to router: inout Router, below prefix: String) {
    let page = prefix + "/install/mails/:mail_token"
    router.get(page) { try show($0) }
    router.post(page, body: .memory(limit: TesterFormGuard.bodyLimit)) { try change($0) }
  }

  private typealias Refusal = (holder: CrashStore.Distribution.Holder, isRefusing: Bool)

  private func refusal(_ request: Request) throws -> Refusal? {
    try context.store.distribution.refusal(ofCode: request.parameters["mail_token"] ?? "")
  }

  /// Shows the page with a button. Programs that scan mail open its links, so this changes nothing.
  private func show(_ request: Request) throws -> Response {
    guard let refusal = try refusal(request) else { return Self.unknown }
    return Self.page(refusal)
  }

  /// The address itself is the permission: whoever got the mail has it, and no other site knows it.
  private func change(_ request: Request) throws -> Response {
    if let refusal = formGuard.tooMany(request.head) { return refusal }
    guard var refusal = try refusal(request) else { return Self.unknown }
    let form = QueryItems(form: request.bytes.text)
    refusal.isRefusing = form["mails"] != "on"
    try context.store.distribution.refuseMail(refusal.isRefusing, of: refusal.holder)
    try context.updates.refresh()
    try context.audit.note(
      .init(
        time: .now, token: "tester", label: refusal.holder.email,
        action: refusal.isRefusing ? "refuse mails" : "allow mails",
        subject: refusal.holder.app, peer: request.peer))
    return Self.page(refusal)
  }

  private static func page(_ refusal: Refusal) -> Response {
    refusal.isRefusing
      ? TesterPage(
        "No more mails",
        """
        <p>\(refusal.holder.email) gets no more mails about \(refusal.holder.app).</p>
        <form method="post"><input type="hidden" name="mails" value="on">
        <button class="plain">Send me mails again</button></form>
        """
      ).response
      : TesterPage(
        "Mails about \(refusal.holder.app)",
        """
        <p>\(refusal.holder.email) gets mails about invitations and new releases of \(refusal.holder.app).</p>
        <form method="post"><input type="hidden" name="mails" value="off">
        <button>Stop these mails</button></form>
        """
      ).response
  }

  private static let unknown = TesterPage(
    "This link is not valid",
    "<p>The link is incomplete, or you have left the testers of the app and get no more mails.</p>",
    status: .notFound
  ).response
}
