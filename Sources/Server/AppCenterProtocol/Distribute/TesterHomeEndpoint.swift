internal import CrashStore
package import HTTP
internal import Rendering
package import ServerCore
internal import Updates

/// The page with the releases for the testers that a browser is signed in as.
package struct TesterHomeEndpoint: Sendable {
  private let context: ServerContext
  private let formGuard: TesterFormGuard
  private let sessions: TesterSessions
  private let releases: TesterReleases

  package init(context: ServerContext) {
    self.context = context
    formGuard = TesterFormGuard(context: context)
    sessions = TesterSessions(context: context)
    releases = TesterReleases(downloads: context.downloads)
  }

  package func add(to router: inout Router, below prefix: String) {
    let page = prefix + "/install"
    router.get(page) { try home($0) }
    router.post(page + "/sign-out", body: .memory(limit: TesterFormGuard.bodyLimit)) {
      try signOut($0)
    }
  }

  private func home(_ request: Request) throws -> Response {
    if request.query["update_setup_failed"] != nil { return Self.help }
    let catalog = context.updates.catalog
    let testers = try sessions.testers(request.head)
    let sections = testers.sorted { $0.app < $1.app }.compactMap { holder in
      catalog.apps[holder.app].map {
        releases.section(of: $0, for: holder.tester, request.head)
      }
    }
    guard !sections.isEmpty else { return Self.welcome }
    let addresses = Set(testers.map(\.email)).sorted().joined(separator: ", ")
    return TesterPage(
      "Your apps",
      """
      <p class="quiet">Signed in as \(addresses).</p>
      \(sections)
      <form method="post" action="\(MountPoint.path(of: request.head) + "/install/sign-out")">
      <button class="plain">Sign out</button></form>
      """
    ).response
  }

  private static let welcome = TesterPage(
    "Releases for testers",
    """
    <p>This browser is not signed in. Open the link of your invitation here.</p>
    """
  ).response

  private static let help = TesterPage(
    "The update could not be set up",
    """
    <p>The app gets its updates from a private group, and the sign-in did not succeed.</p>
    <p>Open the link of your invitation in the browser of this device, then open the app again. If the app
    still does not ask, install its newest release from there.</p>
    <p>If you have no invitation, ask the person who gave you the app.</p>
    """
  ).response

  private func signOut(_ request: Request) throws -> Response {
    if let refusal = formGuard.refusal(ofForm: request.head) { return refusal }
    var response = Response.empty(
      .seeOther, headers: ["Location": MountPoint.path(of: request.head) + "/install"])
    for cookie in try sessions.signOut(request.head) {
      response.headers.add("Set-Cookie", cookie)
    }
    return response
  }
}
