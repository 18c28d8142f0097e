internal import Uploads
internal import APIDocuments
internal import CrashService
internal import CrashModel
internal import CrashStore
package import HTTP
internal import ServerStore

/// Everything that the server answers: method, pattern, who may ask, how large a body may be.
package enum ServerRoutes {
  /// Adds the routes of a protocol that Mayday speaks besides its own.
  package typealias ProtocolRoutes = @Sendable (inout Router, ServerContext) -> Void

  package static func router(of context: ServerContext, protocols: [ProtocolRoutes]) -> Router {
    var router = Router()
    router.use(DeclaredParameters())
    let access = context.access

    let intake = IntakeEndpoint(context: context)
    router.post(
      "/api/v1/reports",
      body: .form(
        MultipartLimits(body: APILimits.report), otherwise: .memory(limit: APILimits.report)),
      before: intake.authorization
    ) { try intake.submit($0) }

    for add in protocols { add(&router, context) }
    addServer(to: &router, context)
    addQuestions(to: &router, context)
    addDecisions(to: &router, context)

    let symbols = SymbolsEndpoint(context: context)
    for method in ["PUT", "POST"] {
      router.add(
        method, "/api/v1/symbols", body: .file(limit: APILimits.symbols),
        before: StorageFailureResponse.authorization(
          context, before: access.authorization(.symbols))
      ) { try symbols.add($0) }
    }
    let parts = PartsEndpoint(
      context: context, symbolsLimit: APILimits.symbols.bytes, reportLimit: APILimits.report.bytes)
    router.post(
      "/api/v1/uploads", body: .memory(limit: APILimits.document),
      before: StorageFailureResponse.authorization(context, before: parts.authorization)
    ) { try parts.begin($0) }
    router.put(
      "/api/v1/uploads/:id/:part", body: .file(limit: ByteCount(bytes: PartialUploads.partSize)),
      before: StorageFailureResponse.authorization(context, before: parts.authorization)
    ) { try parts.put($0) }
    router.post(
      "/api/v1/uploads/:id/finish", body: .memory(limit: APILimits.document),
      before: parts.authorization
    ) { try parts.finish($0) }
    router.get("/api/v1/uploads/:id", middleware: [EntityTags()], before: parts.authorization) {
      try parts.show($0)
    }

    let known = KnownEndpoint(context: context)
    router.post(
      "/api/v1/symbols/known", body: .memory(limit: APILimits.document),
      before: access.authorization(.symbols)
    ) { try known.symbols($0) }
    router.post(
      "/api/v1/reports/known", body: .memory(limit: APILimits.document),
      before: access.authorization(.ingest)
    ) { try known.reports($0) }
    return router
  }

  /// What those who run the server ask, and what its API is.
  private static func addServer(to router: inout Router, _ context: ServerContext) {
    let health = HealthEndpoint(context: context)
    router.get("/healthz", isQuick: true) { _ in .text("ok\n") }
    router.get("/readyz") { _ in health.ready() }
    router.get("/metrics", before: context.access.authorization(.read)) { try health.metrics($0) }
    router.get("/api/v1/openapi.json", middleware: [EntityTags()]) { _ in
      .json(APIDocument.bytes)
    }
  }

  /// Lists and pages; what a client has already is not sent again.
  private static func addQuestions(to router: inout Router, _ context: ServerContext) {
    func get(
      _ pattern: String, _ scope: TokenScope = .read, _ answer: @escaping Route.Handler
    ) {
      router.get(
        "/api/v1" + pattern, middleware: [EntityTags()],
        before: context.access.authorization(scope),
        handler: answer)
    }
    let lists = ListsEndpoint(context: context)
    get("/apps") { try lists.apps($0) }
    get("/fields") { _ in lists.fields() }
    get("/groups") { try lists.groups($0) }
    get("/groups/counts") { try lists.counts($0, ofGroups: true) }
    get("/groups/trend") { try lists.groupTrends($0) }
    get("/groups/:id") { try lists.group($0) }
    get("/groups/:id/keys") { try lists.keys($0) }
    get("/reports") { try lists.reports($0) }
    get("/reports/counts") { try lists.counts($0, ofGroups: false) }
    get("/reports/trend") { try lists.trend($0) }
    get("/reports/:id") { try lists.report($0) }
    get("/reports/:id/place") { try lists.place($0) }
    get("/reports/:id/versions") { try lists.versions($0) }
    get("/reports/:id/versions/:number") { try lists.version($0) }
    get("/reports/:id/archive") { try lists.archive($0) }
    get("/reports/:id/raw") { try lists.raw($0) }
    get("/reports/:id/attachments/:name") { try lists.attachment($0) }
    let submissions = SubmissionsEndpoint(context: context)
    get("/submissions/:id", .ingest) { try submissions.show($0) }
    get("/symbols", .symbols) { try lists.debugFiles($0) }
    get("/symbols/missing", .symbols) { try lists.missing($0) }
    let facts = DebugFileFactsEndpoint(context: context)
    get("/symbols/:id", .symbols) { try facts.show($0) }
    get("/stats") { try lists.stats($0) }
    get("/ledger") { try lists.ledger($0) }
    get("/sessions") { try lists.sessions($0) }
    let releases = ReleasesEndpoint(context: context)
    get("/releases") { try releases.list($0) }
    let tokens = TokensEndpoint(context: context)
    get("/tokens", .admin) { _ in try tokens.list() }
    get("/audit", .admin) { try tokens.audit($0) }
    let aside = QuarantineEndpoint(context: context)
    get("/intake", .admin) { try aside.list($0) }
    get("/intake/:id/raw", .admin) { try aside.raw($0) }
  }

  /// What people decide.
  private static func addDecisions(to router: inout Router, _ context: ServerContext) {
    func add(
      _ method: String, _ pattern: String, _ scope: TokenScope, body: Body,
      _ answer: @escaping Route.Handler
    ) {
      router.add(
        method, "/api/v1" + pattern, body: body, before: context.access.authorization(scope),
        handler: answer)
    }
    let document = Body.memory(limit: APILimits.document)
    let triage = TriageEndpoint(context: context)
    for action in GroupAction.allCases {
      add("POST", "/groups/:id/\(action.rawValue)", .triage, body: document) {
        try triage.act(action, $0)
      }
      add("POST", "/actions/\(action.rawValue)", .triage, body: document) {
        try triage.actOnSeveral(action, $0)
      }
    }
    let releases = ReleasesEndpoint(context: context)
    add("POST", "/releases", .triage, body: document) { try releases.add($0) }
    add("POST", "/releases/remove", .triage, body: document) { try releases.remove($0) }
    add("PUT", "/releases/order", .triage, body: document) { try releases.order($0) }
    let apps = AppsEndpoint(context: context)
    add("POST", "/apps", .admin, body: document) { try apps.add($0) }
    add("POST", "/apps/adopt", .admin, body: document) { try apps.adopt($0) }
    add("POST", "/apps/rename", .admin, body: document) { try apps.rename($0) }
    add("PUT", "/apps/prefix", .admin, body: document) { try apps.setPrefix($0) }
    add("PUT", "/apps/keep", .admin, body: document) { try apps.keep($0) }
    let tokens = TokensEndpoint(context: context)
    add("POST", "/tokens", .admin, body: document) { try tokens.make($0) }
    add("DELETE", "/tokens/:id", .admin, body: .none) { try tokens.revoke($0) }
    let erase = EraseEndpoint(context: context)
    add("POST", "/erase", .admin, body: document) { try erase.erase($0) }
    let doctor = DoctorEndpoint(context: context)
    add("DELETE", "/doctor", .admin, body: .none) { try doctor.clear($0) }
    let aside = QuarantineEndpoint(context: context)
    add("POST", "/intake/retry", .admin, body: .none) { try aside.retry($0) }
    add("POST", "/intake/:id/retry", .admin, body: .none) { try aside.retry($0) }
    add("DELETE", "/intake/:id", .admin, body: .none) { try aside.discard($0) }
  }
}
