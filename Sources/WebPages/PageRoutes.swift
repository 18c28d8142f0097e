internal import Bytes
internal import CrashModel
internal import CrashService
internal import CrashStore
package import HTTP
internal import Query
internal import Rendering
internal import ServerStore
package import WebServer

/// The pages of a server.
package enum PageRoutes {
  package static func add(to router: inout Router, _ context: ServerContext) {
    let site = PageSite(context: context)
    PageAssets.add(to: &router)
    SignInPages(context: context).add(to: &router)
    site.get("/", to: &router) { try GroupListView($0).response() }
    site.get("/groups/:id", to: &router) { try GroupView($0).response() }
    site.post("/groups", .triage, to: &router) { try GroupForms($0).decideAboutSeveral() }
    site.post("/groups/:id/:action", .triage, to: &router) { try GroupForms($0).decide() }
    site.get("/reports/:id", to: &router) { try ReportView($0).response() }
    site.get("/reports/:id/raw", to: &router) { try ReportView($0).submission() }
    site.get("/reports/:id/attachments/:name", to: &router) { try ReportView($0).attachment() }
    site.get("/reports/:id/explain", to: &router) { try ExplanationView($0).response() }
    site.get("/releases", to: &router) { try ReleasesView($0).response() }
    site.get("/releases/:app/:release", to: &router) { try ReleasesView($0).one() }
    site.get("/symbols", to: &router) { try SymbolsView($0).response() }
    SymbolUpload(context: context).add(to: &router)
    site.get("/apps", .triage, to: &router) { try AppsView($0).response() }
    site.get("/account", to: &router) { try AccountView($0).response() }
    site.post("/theme", to: &router) { AccountView($0).setTheme() }
    site.post("/account/sessions/:id/end", to: &router) { try AccountView($0).endSession() }
    addServer(to: &router, site)
  }
}

extension PageRoutes {
  /// What only admins of all apps see.
  private static func addServer(to router: inout Router, _ site: PageSite) {
    site.get("/server", .admin, to: &router) { try ServerView($0).ledger() }
    site.get("/server/quarantine", .admin, to: &router) { try ServerView($0).quarantine() }
    site.post("/server/quarantine/:id/:action", .admin, to: &router) {
      try ServerView($0).decideAboutQuarantined()
    }
    site.get("/server/tokens", .admin, to: &router) { try ServerView($0).tokens() }
    site.post("/server/tokens", .admin, to: &router) { try ServerView($0).makeToken() }
    site.post("/server/tokens/:id/revoke", .admin, to: &router) { try ServerView($0).revokeToken() }
    site.get("/server/accounts", .admin, to: &router) { try ServerView($0).accounts() }
    site.post("/server/accounts", .admin, to: &router) { try ServerView($0).invite() }
    site.post("/server/accounts/:name/:action", .admin, to: &router) {
      try ServerView($0).decideAboutAccount()
    }
    site.get("/server/audit", .admin, to: &router) { try ServerView($0).audit() }
  }
}

/// A request of somebody who is signed in.
struct PageCall {
  let request: Request
  let visitor: Visitor
  let context: ServerContext
  /// What this visitor may know.
  let service: any CrashService
  /// The fields of a form.
  var form = QueryItems()
  let now = Timestamp.now

  func parameter(_ name: String) -> String { request.parameters[name] ?? "" }

  /// The field that a form needs to be taken.
  var formField: HTML { "<input type=\"hidden\" name=\"form\" value=\"\(visitor.formToken)\">" }

  func page(
    _ title: String, in section: PageDocument.Section? = nil, refresh: Int? = nil, _ content: HTML
  ) -> Response {
    PageDocument(
      title: title, section: section, visitor: visitor, refresh: refresh, content: content
    ).response
  }

  func note(_ action: String, _ subject: String) throws {
    try context.audit.note(
      .init(
        time: now, token: "session", label: visitor.account.name, action: action, subject: subject,
        peer: request.peer))
  }
}

/// What every page asks before it answers: who is there, what that one may do, and for forms, whether our
/// own page sent it.
struct PageSite: Sendable {
  let context: ServerContext

  typealias Handler = @Sendable (PageCall) throws -> Response

  /// Bytes of a form: a note, or the names of many groups.
  static let formLimit: ByteCount = .kibibytes(256)

  func get(
    _ pattern: String, _ scope: TokenScope = .read, to router: inout Router,
    handler: @escaping Handler
  ) {
    router.get(pattern, middleware: [ContentCodings()]) { request in
      guard let visitor = try Visitor(request.head, in: context) else {
        return SignInPages.redirect(from: request.head)
      }
      return try answer(request, visitor, scope, QueryItems(), handler)
    }
  }

  func post(
    _ pattern: String, _ scope: TokenScope = .read, to router: inout Router,
    handler: @escaping Handler
  ) {
    router.post(pattern, body: .memory(limit: Self.formLimit)) { request in
      guard let visitor = try Visitor(request.head, in: context) else {
        return SignInPages.redirect(to: "/")
      }
      let form = QueryItems(form: request.bytes.text)
      guard !request.head.isForeign, visitor.hasSent(form["form"]) else {
        return PageDocument.problem(
          "This form is not from here",
          "It was sent by another site, or before you signed in again. Go back, reload, try again.",
          .forbidden, for: visitor
        ).response
      }
      return try answer(request, visitor, scope, form, handler)
    }
  }

  private func answer(
    _ request: Request, _ visitor: Visitor, _ scope: TokenScope, _ form: QueryItems,
    _ handler: Handler
  ) throws -> Response {
    guard visitor.account.allows(scope) else {
      return PageDocument.problem(
        "Not allowed",
        "The role of \(visitor.account.name) is \(visitor.account.role.rawValue); this needs more.",
        .forbidden, for: visitor
      ).response
    }
    let call = PageCall(
      request: request, visitor: visitor, context: context,
      service: context.service(ofApp: visitor.account.app), form: form)
    do {
      return try handler(call)
    } catch let error as StoreError {
      switch error {
      // The request is not to blame.
      case .damagedBlob, .damaged: throw error
      default: return Self.refusal(of: error, visitor)
      }
    } catch let error
      where error is UnknownID || error is QueryError || error is ServiceError
      || error is ActionError
    {
      return Self.refusal(of: error, visitor)
    }
  }

  static func refusal(of error: any Error, _ visitor: Visitor) -> Response {
    let (message, kind) = FailureText.describe(error)
    let (title, status): (String, Status) =
      switch kind {
      case .notFound: ("Not found", .notFound)
      case .wrongUsage: ("Not understood", .badRequest)
      case .notAllowed: ("Not allowed", .forbidden)
      case .failed, .unreachable: ("Not done", .conflict)
      }
    return PageDocument.problem(title, message, status, for: visitor).response
  }
}
