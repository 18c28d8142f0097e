internal import Bytes
internal import CrashService
internal import CrashStore
package import HTTP
internal import Identifiers
internal import Query
internal import Rendering
package import ServerCore
internal import ServerStore

/// The pages of a server.
package enum PageRoutes {
  package static func add(to router: inout Router, _ context: ServerContext) {
    let unsent = UnsentForms()
    let site = PageSite(context: context, unsent: unsent)
    router.unmatched = { PageRefusal.page($0, $1, in: context) }
    PageAssets.add(to: &router)
    SignInPages(context: context).add(to: &router)
    site.get("/", to: &router) { try GroupListView($0).response() }
    site.get("/groups/:id", to: &router) { try GroupView($0).response() }
    site.get("/groups/:id/reports", to: &router) { try GroupReportsView($0).response() }
    site.get("/groups/:id/split", .triage, to: &router) { try SplitView($0).response() }
    site.post("/searches", to: &router, page: { try GroupListView($0.back()).response() }) {
      try SavedSearches($0).change()
    }
    site.get("/complete", to: &router) { try CompletionView($0).response() }
    site.post("/groups", .triage, to: &router, page: { try GroupListView($0.back()).response() }) {
      try GroupForms($0).decideAboutSeveral()
    }
    site.post("/groups/:id/:action", .triage, to: &router, page: { try GroupForms($0).page() }) {
      try GroupForms($0).decide()
    }
    site.get("/reports", to: &router) { try ReportListView($0).response() }
    site.get("/reports/:id", to: &router) { try ReportView($0).response() }
    site.get("/reports/:id/raw", to: &router) { try ReportView($0).submission() }
    site.get("/reports/:id/attachments/:name", to: &router) {
      try AttachmentsView.response($0)
    }
    site.get("/reports/:id/archive", to: &router) { try ReportView($0).archive() }
    site.get("/reports/:id/explain", to: &router) { try ExplanationView($0).response() }
    site.get("/releases", to: &router) { try ReleasesView($0).response() }
    site.post("/releases/:app", .triage, to: &router, page: { try ReleasesView($0).response() }) {
      try ReleasesView($0).setOrder()
    }
    site.get("/releases/:app/:release", to: &router) { try ReleaseView($0).response() }
    site.post(
      "/releases/:app/:release/rollout", .triage, to: &router,
      page: { try ReleaseView($0).response() }
    ) { try ReleaseView($0).rollOut() }
    site.post(
      "/releases/:app/:release/files/:number", .releases, to: &router,
      page: { try ReleaseView($0).response() }
    ) { try ReleaseView($0).changeFile() }
    site.get("/symbols", to: &router) { try SymbolsView($0).response() }
    site.get("/symbols/stored", to: &router) { try SymbolsView($0).stored() }
    site.get("/symbols/releases", to: &router) { try SymbolsView($0).byRelease() }
    SymbolUpload(context: context).add(to: &router)
    ReleaseUpload(context: context).add(to: &router, site)
    addApps(to: &router, site)
    FilesPage(context: context).add(to: &router)
    site.get("/sign-in/command", to: &router) { try CommandSignInView($0).response() }
    site.post(
      "/sign-in/command", to: &router, page: { try CommandSignInView($0).response() }
    ) { try CommandSignInView($0).decide() }
    site.get("/unsent", to: &router) { try UnsentFormPage(call: $0, forms: unsent).response() }
    site.get("/account", to: &router) { try AccountView($0).response() }
    site.post("/theme", to: &router) { AccountView($0).setTheme() }
    site.post("/account/password", to: &router) { try AccountView($0).setPassword() }
    // Password managers use this address. Source: "A Well-Known URL for Changing Passwords", W3C.
    router.get("/.well-known/change-password") { _ in
      .empty(.found, headers: ["Location": "/account#password-of"])
    }
    site.post("/account/commands/:id/end", to: &router) { try AccountView($0).endCommand() }
    site.post("/account/sessions/:id/end", to: &router) { try AccountView($0).endSession() }
    addServer(to: &router, site)
  }
}

extension PageRoutes {
  private static func addApps(to router: inout Router, _ site: PageSite) {
    site.get("/apps", .triage, to: &router) { try AppsView($0).response() }
    site.post("/apps", .admin, to: &router, page: { try AppsView($0).response() }) {
      try AppsView($0).add()
    }
    site.post("/apps/:app/secret", .admin, to: &router, page: { try AppsView($0).one() }) {
      try AppsView($0).makeSecret()
    }
    site.get("/apps/:app", .triage, to: &router) { try AppsView($0).one() }
    site.post(
      "/apps/:app/retention", .admin, to: &router, page: { try AppsView($0).one() }
    ) { try AppsView($0).setRetention() }
    site.post("/apps/:app/settings", .admin, to: &router, page: { try AppsView($0).one() }) {
      try AppsView($0).setSettings()
    }
    site.post("/apps/:app/tracker", .admin, to: &router, page: { try AppsView($0).one() }) {
      try AppsView($0).setTracker()
    }
    site.post("/apps/:app/protection", .admin, to: &router, page: { try AppsView($0).one() }) {
      try AppsView($0).setProtection()
    }
    let testers: PageSite.Handler = { try TestersView($0).response() }
    site.get("/apps/:app/testers", .releases, to: &router, handler: testers)
    site.post("/apps/:app/testers", .releases, to: &router, page: testers) {
      try TestersView($0).invite()
    }
    site.post("/apps/:app/testers/:tester", .releases, to: &router, page: testers) {
      try TestersView($0).change()
    }
    site.post("/apps/:app/distribution-groups", .releases, to: &router, page: testers) {
      try TestersView($0).addGroup()
    }
    site.post("/apps/:app/distribution-groups/:group", .releases, to: &router, page: testers) {
      try TestersView($0).changeGroup()
    }
    site.get("/apps/:app/check", .triage, to: &router) { try CheckView($0).response() }
    site.get("/apps/:app/configuration", to: &router) { try ConfigurationView($0).response() }
    site.post(
      "/apps/:app/configuration", .triage, to: &router,
      page: { try ConfigurationView($0).response() }
    ) { try ConfigurationView($0).change() }
  }

  /// Pages for admins of all apps only.
  private static func addServer(to router: inout Router, _ site: PageSite) {
    site.get("/server", .admin, to: &router) { try ServerView($0).ledger() }
    let quarantine: PageSite.Handler = { try ServerView($0).quarantine() }
    site.get("/server/quarantine", .admin, to: &router, handler: quarantine)
    site.post("/server/quarantine/:id/:action", .admin, to: &router, page: quarantine) {
      try ServerView($0).decideAboutQuarantined()
    }
    let tokens: PageSite.Handler = { try ServerView($0).tokens() }
    site.get("/server/tokens", .admin, to: &router, handler: tokens)
    site.post("/server/tokens", .admin, to: &router, page: tokens) {
      try ServerView($0).makeToken()
    }
    site.post("/server/tokens/:id/revoke", .admin, to: &router, page: tokens) {
      try ServerView($0).revokeToken()
    }
    let accounts: PageSite.Handler = { try ServerView($0).accounts() }
    site.get("/server/accounts", .admin, to: &router, handler: accounts)
    site.post("/server/accounts", .admin, to: &router, page: accounts) {
      try ServerView($0).invite()
    }
    site.post("/server/accounts/:name/:action", .admin, to: &router, page: accounts) {
      try ServerView($0).decideAboutAccount()
    }
    site.get("/server/retention", .admin, to: &router) { try ServerView($0).retention() }
    let scrubbing: PageSite.Handler = { try ScrubbingView($0).response() }
    site.get("/server/scrubbing", .admin, to: &router, handler: scrubbing)
    site.post("/server/scrubbing", .admin, to: &router, page: scrubbing) {
      try ScrubbingView($0).change()
    }
    let erasure: PageSite.Handler = { ErasureView($0).response() }
    site.get("/server/erasure", .admin, to: &router, handler: erasure)
    site.post("/server/erasure", .admin, to: &router, page: erasure) {
      try ErasureView($0).erase()
    }
    let alerts: PageSite.Handler = { try AlertsView($0).response() }
    site.get("/server/alerts", .admin, to: &router, handler: alerts)
    site.post("/server/alerts/rules", .admin, to: &router, page: alerts) {
      try AlertsView($0).addRule()
    }
    site.post("/server/alerts/rules/:number/remove", .admin, to: &router, page: alerts) {
      try AlertsView($0).removeRule()
    }
    site.post("/server/alerts/targets", .admin, to: &router, page: alerts) {
      try AlertsView($0).addTarget()
    }
    site.post("/server/alerts/targets/:name/:action", .admin, to: &router, page: alerts) {
      try AlertsView($0).decideAboutTarget()
    }
    site.get("/server/audit", .admin, to: &router) { try ServerView($0).audit() }
  }
}

/// A request from a signed-in visitor.
struct PageCall {
  var request: Request
  var visitor: Visitor
  let context: ServerContext
  /// The data that this visitor may see.
  let service: any CrashService
  /// The parts of reports that the visitor's role does not see, as ``service`` applies it.
  let withholding: Withholding
  /// The fields of a form.
  var form = QueryItems()
  /// The form that the page shows again; `nil` otherwise.
  var refused: RefusedForm?
  let now = Timestamp.now

  init(
    _ request: Request, of visitor: Visitor, in context: ServerContext,
    form: QueryItems = QueryItems()
  ) throws {
    self.request = request
    self.visitor = visitor
    self.context = context
    withholding = try context.withholding(from: visitor.account.role)
    service = context.service(ofApp: visitor.account.app, hiding: withholding)
    self.form = form
  }

  /// The same call, whose page leads to the list of groups without a search.
  var withoutLastList: PageCall {
    var call = self
    call.visitor.list = "/"
    return call
  }

  func parameter(_ name: String) -> String { request.parameters[name] ?? "" }

  /// A field of the form; `nil` if it is empty.
  func text(_ name: String) -> String? {
    form[name].flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
  }

  /// A number in a field of the form; `nil` if it is empty.
  func count(_ name: String) throws -> Int? {
    guard let text = text(name) else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw ServiceError("'\(text)' is not a number", .wrongUsage)
    }
    return number
  }

  /// The hidden field with the session's form token.
  var formField: HTML { "<input type=\"hidden\" name=\"form\" value=\"\(visitor.formToken)\">" }

  func page(
    _ title: String, in section: PageDocument.Section? = nil, refresh: Int? = nil,
    hasSearch: Bool = false, _ content: HTML
  ) -> Response {
    PageDocument(
      title: title, section: section, visitor: visitor, refresh: refresh, hasSearch: hasSearch,
      content: "\(refusal)\(content)"
    ).response
  }

  /// A query that this visitor typed.
  ///
  /// - Throws: `QueryError`.
  func query(_ text: String) throws -> Query {
    try Query(text, now: now, me: visitor.account.name)
  }

  /// Whether an error is about what the visitor typed as a query: it cannot be parsed, or names what is hidden.
  static func isAboutQuery(_ error: any Error) -> Bool {
    error is QueryError || (error as? ServiceError)?.isAboutRole == true
  }

  /// A page of the groups that this visitor may see, with the figures around it.
  ///
  /// - Throws: `ServiceError` if the search has a condition on what is hidden from the visitor.
  func listing(_ query: GroupListingQuery) throws -> GroupListing {
    try withholding.check(query.groups.query, of: visitor.account.app)
    var query = query
    if let app = visitor.account.app { query.scope = try ScopedService.conditions(ofApp: app) }
    return try context.store.groups.listing(query)
  }

  /// The call for the page with the form, which the form names as `back`.
  func back() -> PageCall {
    var call = self
    let path = SignInPages.localPath(refused?.fields["back"])
    call.request.head.query = RequestHead("GET", path).query
    return call
  }

  func note(_ action: String, _ subject: String) throws {
    try context.audit.note(
      .init(
        time: now, token: "session", label: visitor.account.name, action: action, subject: subject,
        peer: request.peer))
  }
}

/// The checks before every page: the signed-in account, its permissions, and for forms, whether our own page
/// sent them.
struct PageSite: Sendable {
  let context: ServerContext
  let unsent: UnsentForms

  typealias Handler = @Sendable (PageCall) throws -> Response

  /// The maximum size of a form: a note, the names of many groups, or a document, each byte of which may take
  /// three.
  static let formLimit: ByteCount = .kibibytes(1_024)

  func get(
    _ pattern: String, _ scope: TokenScope = .read, to router: inout Router,
    handler: @escaping Handler
  ) {
    router.add(
      "GET", pattern, middleware: [ContentCodings()],
      refusing: { PageRefusal.page($0, $1, in: context) }
    ) { request in
      if let visitor = try Visitor(request.head, in: context) {
        return try answer(request, visitor, scope, QueryItems(), handler)
      }
      guard let (visitor, cookie) = try ProxySignIn(context: context).visitor(for: request.head)
      else { return SignInPages.redirect(from: request.head) }
      var response = try answer(request, visitor, scope, QueryItems(), handler)
      response.headers.add("Set-Cookie", cookie)
      return response
    }
  }

  /// - Parameter page: The page with the form, which shows it again with what was typed if it is refused.
  func post(
    _ pattern: String, _ scope: TokenScope = .read, to router: inout Router,
    page: Handler? = nil, handler: @escaping Handler
  ) {
    router.add(
      "POST", pattern, body: .memory(limit: Self.formLimit),
      // Without a session, only a short form is read, to be shown again after signing in.
      before: { head in
        try Visitor(head, in: context) != nil || page != nil && UnsentForms.mayHold(head)
          ? nil : SignInPages.redirect(toFormOf: head)
      },
      refusing: { PageRefusal.page($0, $1, in: context) }
    ) { request in
      let form = QueryItems(form: request.bytes.text)
      guard let visitor = try Visitor(request.head, in: context) else {
        return keep(form, request, scope, page)
      }
      guard !request.head.isForeign, visitor.hasSent(form["form"]) else {
        return PageDocument.problem(
          "Form refused",
          "Another site sent it, or you have signed in again since. Go back, reload the page, and try again.",
          .forbidden, for: visitor, back: FormPage(of: request.head, form)
        ).response
      }
      return try answer(
        request, visitor, scope, form, back: FormPage(of: request.head, form), page: page, handler)
    }
  }

  /// Keeps a form that came without a session, and asks to sign in.
  private func keep(
    _ form: QueryItems, _ request: Request, _ scope: TokenScope, _ page: Handler?
  ) -> Response {
    let back = SignInPages.redirect(to: FormPage(of: request.head, form).path)
    guard let page, UnsentForms.mayHold(request.head),
      context.wait(for: request.head, app: nil, isPublic: true) == nil,
      let key = unsent.hold(
        UnsentForms.Form(
          request: Request(request.head), fields: form, scope: scope, page: page))
    else { return back }
    var response = SignInPages.redirect(to: UnsentFormPage.path)
    response.headers["Set-Cookie"] = SessionCookie.unsent.field(
      key, lifetime: UnsentForms.patience, for: request.head)
    return response
  }

  /// - Parameters:
  ///   - back: The page whose form this is.
  ///   - page: Shows that page with a refused form.
  private func answer(
    _ request: Request, _ visitor: Visitor, _ scope: TokenScope, _ form: QueryItems,
    back: FormPage? = nil, page: Handler? = nil, _ handler: Handler
  ) throws -> Response {
    guard visitor.account.allows(scope) else {
      return PageDocument.problem(
        "Not allowed",
        "Your role, \(visitor.account.role.rawValue), does not allow this.",
        .forbidden, for: visitor, back: back
      ).response
    }
    let call = try PageCall(request, of: visitor, in: context, form: form)
    do {
      return try handler(call)
    } catch let error where Self.isRefusal(error) {
      return Self.shown(again: call, page, error) ?? Self.refusal(of: error, visitor, back: back)
    }
  }

  /// Whether an error is the answer to a request, as opposed to a fault of the server.
  static func isRefusal(_ error: any Error) -> Bool {
    if let error = error as? StoreError {
      switch error {
      // Damage is not the fault of the request.
      case .damagedBlob, .damaged: return false
      default: return true
      }
    }
    return error is UnknownID || error is QueryError || error is ServiceError
      || error is ActionError || error is DistributionError || error is RemoteConfigurationAbsence
  }

  /// The page of a refused form, with what was typed; `nil` if the page cannot be shown.
  private static func shown(
    again call: PageCall, _ page: Handler?, _ error: any Error
  ) -> Response? {
    guard let page else { return nil }
    let (message, kind) = FailureText.describe(error, namesCommands: false)
    var call = call
    let path = call.request.head.segments.map { "/" + $0.inAddress }.joined()
    call.refused = RefusedForm(action: path, fields: call.form, message: message)
    // The page reads its own address, not the form.
    call.form = QueryItems()
    guard var response = try? page(call), response.status == .ok else { return nil }
    response.status = status(of: kind)
    return response
  }

  static func refusal(
    of error: any Error, _ visitor: Visitor, back: FormPage? = nil
  ) -> Response {
    let (message, kind) = FailureText.describe(error, namesCommands: false)
    let title =
      switch kind {
      case .notFound: "Not found"
      case .wrongUsage: "Invalid request"
      case .notAllowed: "Not allowed"
      case .failed, .unreachable: "Action failed"
      }
    return PageDocument.problem(
      title, message, Self.status(of: kind), for: visitor, back: back
    ).response
  }

  static func status(of kind: FailureKind) -> Status {
    switch kind {
    case .notFound: .notFound
    case .wrongUsage: .badRequest
    case .notAllowed: .forbidden
    case .failed, .unreachable: .conflict
    }
  }
}
