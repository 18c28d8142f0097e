internal import Bytes
internal import CrashModel
internal import CrashService
internal import CrashStore
package import HTTP
internal import Rendering
internal import ServerStore
internal import Updates
package import WebServer

/// The pages in a tester's browser: it accepts an invitation once, and then hands update tokens to the apps
/// that request them.
package struct SignInEndpoint: Sendable {
  private let context: ServerContext
  /// The tokens of the last minutes: a page reload, or an app that was not ready, may need the same redirect
  /// again.
  private let recent = RecentLookUps<String>(lifetime: 600, limit: 10_000)

  /// Size limit of a form, which has an invitation's code.
  private static let formLimit: ByteCount = .kibibytes(4)

  package init(context: ServerContext) { self.context = context }

  package func add(to router: inout Router, below prefix: String) {
    let site = prefix + "/install"
    router.get(site) { try home($0) }
    router.post(site + "/sign-out", body: .memory(limit: Self.formLimit)) { try signOut($0) }
    router.get(site + "/invitations/:invitation_token") { try invitation($0) }
    router.post(site + "/invitations/:invitation_token", body: .memory(limit: Self.formLimit)) {
      try accept($0)
    }
    // SDKs before 3.0 leave out "private".
    for name in ["private-update-setup", "update-setup"] {
      let setup = site + "/apps/:secret/" + name
      router.get(setup) { try setUp($0) }
      router.post(setup, body: .memory(limit: Self.formLimit)) { try acceptAndSetUp($0) }
    }
  }

  // MARK: Identity

  /// Returns the testers that the browser is signed in as, one per app.
  private func testers(_ head: RequestHead) throws -> [CrashStore.Distribution.Holder] {
    try TesterCookie.sessions(of: head).compactMap {
      try context.store.distribution.holder(of: $0.text, .session)
    }
  }

  /// Returns a refusal for a form sent by another site, or for too many from one address.
  private func refusal(ofForm head: RequestHead) -> Response? {
    // Browsers send the form's origin.
    let isForeign =
      head.headers["Sec-Fetch-Site"].map { !["same-origin", "none"].contains($0) }
      ?? head.headers["Origin"].map { !$0.hasSuffix("://" + (head.headers["Host"] ?? "")) } ?? false
    if isForeign {
      return TesterPage(
        "This form is from another site", "<p>Open the link of your invitation again.</p>",
        status: .forbidden
      ).response
    }
    return tooMany(head)
  }

  private func tooMany(_ head: RequestHead) -> Response? {
    guard let wait = context.wait(for: head, app: nil, isPublic: true) else { return nil }
    var response = TesterPage(
      "Too many requests", "<p>Try again in \(wait) seconds.</p>", status: .tooManyRequests
    ).response
    response.headers["Retry-After"] = "\(wait)"
    return response
  }

  /// Accepts an invitation and signs the browser in.
  ///
  /// - Returns: The header field that sets the cookie; `nil` if there is no such invitation.
  private func signIn(_ code: String, _ head: RequestHead) throws -> String? {
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

  private func note(
    _ action: String, _ app: String, _ email: String, _ head: RequestHead
  ) throws {
    try context.audit.note(
      .init(
        time: .now, token: "tester", label: email, action: action, subject: app, peer: head.peer))
  }

  // MARK: Invitations

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
    if let refusal = refusal(ofForm: request.head) { return refusal }
    guard let cookie = try signIn(request.parameters["invitation_token"] ?? "", request.head) else {
      // A user who pressed the button twice is signed in.
      guard try testers(request.head).isEmpty else {
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

  private func signOut(_ request: Request) throws -> Response {
    if let refusal = refusal(ofForm: request.head) { return refusal }
    var response = Response.empty(
      .seeOther, headers: ["Location": MountPoint.path(of: request.head) + "/install"])
    for (name, text) in TesterCookie.sessions(of: request.head) {
      try context.store.distribution.endSession(text)
      response.headers.add("Set-Cookie", TesterCookie.field(name, nil, for: request.head))
    }
    return response
  }

  // MARK: The way back to an app

  private func setUp(_ request: Request) throws -> Response {
    let setup: SetupRequest
    do throws(SetupRequest.Problem) {
      setup = try SetupRequest(request.head, in: context.updates.catalog)
    } catch {
      return Self.page(error)
    }
    guard
      let tester = try testers(request.head).first(where: { $0.app == setup.updates.app })?.tester,
      setup.updates.testers[tester]?.hasAccepted == true
    else { return signInPage(setup) }
    guard
      let offer = setup.updates.newest(
        for: .tester(tester), on: setup.platforms, installation: tester)
    else {
      let message = "no release of \(setup.updates.app) for this tester"
      guard setup.redirectsFailure else {
        return TesterPage(
          "Nothing for you yet",
          """
          <p>None of your private groups has a release of \(setup.updates.app). Ask whoever invited you.</p>
          """, status: .forbidden
        ).response
      }
      return handOver(setup, setup.failure(message))
    }
    if let refusal = tooMany(request.head) { return refusal }
    let token = try updateToken(setup, tester)
    return handOver(setup, setup.success(group: offer.destination.id, token: token))
  }

  /// Returns an update token: for some minutes the same one for the same request of a tester, if still valid.
  private func updateToken(_ setup: SetupRequest, _ tester: String) throws -> String {
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

  /// Forwards to the app, automatically and with a link. The authentication session of iOS waits for a real
  /// redirect; Android browsers may block one without a tap, and then show the page.
  private func handOver(_ setup: SetupRequest, _ address: String) -> Response {
    var response = TesterPage(
      "Back to \(setup.updates.app)",
      """
      <p><a class="button" href="\(address)">Return to \(setup.updates.app)</a></p>
      <p class="quiet">If nothing happens, open the app again.</p>
      """
    ).response
    switch setup.system {
    case .iOS:
      response.status = .found
      response.headers["Location"] = address
    case .android: response.headers["Refresh"] = "0;url=" + address
    }
    return response
  }

  private func signInPage(_ setup: SetupRequest, isWrong: Bool = false) -> Response {
    let wrong: HTML = isWrong ? "<p role=\"alert\">This code is not valid.</p>" : .none
    let back: HTML =
      setup.redirectsFailure
      ? """
      <p><a class="button plain" href="\(setup.failure("the tester did not sign in"))">Skip sign-in</a></p>
      """ : .none
    return TesterPage(
      "Sign in to test \(setup.updates.app)",
      """
      <p>This release gets its updates from a private group. Open the link of your invitation in this browser,
      or enter its code: the last part of the link.</p>
      \(wrong)
      <form method="post">
      <label for="code">Code of the invitation</label>
      <input id="code" name="code" autocomplete="off" autocapitalize="none" spellcheck="false" required>
      <button>Sign in</button>
      </form>
      \(back)
      """, status: isWrong ? .forbidden : .ok,
      schemes: setup.system == .iOS ? [setup.target] : ["intent"]
    ).response
  }

  /// Accepts an invitation's code, then continues as if the browser had been signed in.
  private func acceptAndSetUp(_ request: Request) throws -> Response {
    let setup: SetupRequest
    do throws(SetupRequest.Problem) {
      setup = try SetupRequest(request.head, in: context.updates.catalog)
    } catch {
      return Self.page(error)
    }
    if let refusal = refusal(ofForm: request.head) { return refusal }
    let form = QueryItems(form: request.bytes.text)
    guard let cookie = try signIn(Self.code(form["code"] ?? ""), request.head) else {
      return signInPage(setup, isWrong: true)
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

  private static func page(_ problem: SetupRequest.Problem) -> Response {
    switch problem {
    case .unknownApp:
      TesterPage(
        "This app is not here",
        "<p>This server doesn't know the app. Tell the person who gave it to you.</p>",
        status: .notFound
      ).response
    case .wrong(let name):
      TesterPage(
        "This link is incomplete",
        "<p>Open the app and let it check for updates again.</p><p class=\"quiet\">\(name) is missing or wrong.</p>",
        status: .badRequest
      ).response
    }
  }

  // MARK: The tester's releases

  private func home(_ request: Request) throws -> Response {
    if request.query["update_setup_failed"] != nil { return Self.help }
    let catalog = context.updates.catalog
    let testers = try testers(request.head)
    let sections = testers.sorted { $0.app < $1.app }.compactMap { holder in
      catalog.apps[holder.app].map { section($0, tester: holder.tester, request.head) }
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

  private func section(_ updates: AppUpdates, tester: String, _ head: RequestHead) -> HTML {
    let platforms: [ArtefactPlatform] = [.iOS, .android, .macOS, .windows, .other]
    let offers = platforms.compactMap {
      // An app bundle is for stores and can't be installed on a device.
      updates.newest(for: .tester(tester), on: [$0], installation: tester) {
        $0.package.kind != .aab
      }
    }
    guard !offers.isEmpty else {
      return """
        <section><h2>\(updates.app)</h2><p class="quiet">There is no release yet.</p></section>
        """
    }
    return HTML(
      offers.map { offer in
        let details = ReleaseDetails(offer, of: updates, for: .tester(tester))
        let (base, now) = (MountPoint.base(of: head), Timestamp.now)
        func address(_ part: DownloadLinks.Part) -> String {
          context.downloads.address(
            of: part, of: offer.artefact, for: .tester(tester), at: base, now: now)
        }
        let icon: HTML =
          offer.artefact.icon == nil ? .none : "<img src=\"\(address(.icon))\" alt=\"\">"
        let notes: HTML =
          offer.artefact.notes.isEmpty ? .none : " · <a href=\"\(address(.notes))\">What's new</a>"
        let release = offer.artefact.release
        return """
          <section>\(icon)<h2>\(updates.app)</h2>
          <p class="quiet">\(release.version) (\(release.build)) for \(offer.artefact.platform.rawValue)\(notes)</p>
          <a class="button" href="\(details.installation(context.downloads, base, now))">Install</a></section>
          """
      })
  }
}
