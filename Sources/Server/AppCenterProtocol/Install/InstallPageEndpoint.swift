internal import CrashService
internal import CrashStore
package import HTTP
internal import Rendering
package import ServerCore
internal import Updates

/// The pages from which users install an app, below the paths that tools of App Center print:
///
///     /install/apps/APP                 this server's own
///     /install/users/OWNER/apps/APP     the owner makes no difference
///     /install/orgs/OWNER/apps/APP
///
/// each with `/distribution_groups/GROUP`, `/releases/NUMBER`, or both, after it. `APP` is a name, an
/// App-Secret, or the id of an app.
package struct InstallPageEndpoint: Sendable {
  private let context: ServerContext
  private let sessions: TesterSessions

  package init(context: ServerContext) {
    self.context = context
    sessions = TesterSessions(context: context)
  }

  package func add(to router: inout Router, below prefix: String) {
    for owner in ["", "/users/:owner", "/orgs/:owner"] {
      let app = prefix + "/install" + owner + "/apps/:app"
      let group = app + "/distribution_groups/:group"
      for page in [app, group] {
        router.get(page) { try newest($0) }
        router.get(page + "/releases/:release") { try release($0) }
      }
    }
  }

  private func newest(_ request: Request) throws -> Response {
    guard let view = try view(request), !view.releases.isEmpty else { return Self.nothing(request) }
    return Self.uncached(view.newest)
  }

  private func release(_ request: Request) throws -> Response {
    guard let view = try view(request), !view.releases.isEmpty else { return Self.nothing(request) }
    guard let offer = Int(request.parameters["release"] ?? "").flatMap(view.releases.release) else {
      let newest = MountPoint.path(of: request.head) + view.page
      return Self.uncached(
        TesterPage(
          "This release is not offered",
          """
          <p>It was withdrawn, or there is a newer one.</p>
          <p><a class="button" href="\(address: newest)">The newest release</a></p>
          """, status: .notFound))
    }
    return Self.uncached(view.only(offer))
  }

  /// Returns the view for the browser that asks; `nil` for an app without anything to offer.
  private func view(_ request: Request) throws -> InstallView? {
    let head = request.head
    let catalog = context.updates.catalog
    guard let updates = catalog.apps[catalog.name(ofApp: request.parameters["app"] ?? "")] else {
      return nil
    }
    let tester = try sessions.testers(head).first { $0.app == updates.app }?.tester
    let group = request.parameters["group"]
    let page =
      InstallPage.path(ofApp: updates.app)
      + (group.map { "/distribution_groups/" + $0.inAddress } ?? "")
    return InstallView(
      InstallReleases(updates, group: group, tester: tester, network: head.network),
      on: InstallDevice(userAgent: head.headers["User-Agent"]), context.downloads, head, page: page)
  }

  /// Answers alike for an app that is not here and for one with private releases: whether there is such an app
  /// is not for strangers.
  private static func nothing(_ request: Request) -> Response {
    uncached(
      TesterPage(
        "Nothing to install here",
        """
        <p>There is no public release at this address.</p>
        <p>If you were invited to test the app, open the link of your invitation in this browser first, then
        this page again.</p>
        <p><a class="button" href="\(address: MountPoint.path(of: request.head) + "/install")">\
        Releases for testers</a></p>
        """, status: .notFound))
  }

  /// The page differs by browser and by tester.
  private static func uncached(_ page: TesterPage) -> Response {
    var response = page.response
    response.headers["Cache-Control"] = "no-store"
    response.headers["Vary"] = "User-Agent, Cookie"
    return response
  }
}
