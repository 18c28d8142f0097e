import CrashModel
import CrashStore
import HTTP
import ServerStore

/// Everything that the server answers: method, pattern, who may ask, how large a body may be.
enum ServerRoutes {
  /// Of one report or archive of reports, as it is sent and with its compression undone.
  private static let reportLimit: ByteCount = .mebibytes(100)
  /// Of one request of an SDK, which has attachments of 7 MB in base64.
  private static let logsLimit: ByteCount = .mebibytes(32)
  private static let logsInflatedLimit: ByteCount = .mebibytes(64)
  static let symbolsLimit: ByteCount = .gibibytes(4)
  private static let documentLimit: ByteCount = .mebibytes(1)

  static func router(of service: Service) -> Router {
    var router = Router()
    let access = service.access

    let intake = IntakeEndpoint(service: service)
    router.post(
      "/api/v1/reports",
      body: .form(
        MultipartLimits(body: reportLimit), otherwise: .memory(limit: reportLimit)),
      before: intake.gate
    ) { try intake.submit($0) }

    let appCenter = AppCenterEndpoint(service: service)
    router.post(
      "/logs", body: .memory(limit: logsLimit, inflated: logsInflatedLimit),
      before: appCenter.gate
    ) { appCenter.submit($0) }

    addAppCenterSymbols(to: &router, service)
    addAppCenterErrors(to: &router, service)
    addServer(to: &router, service)
    addQuestions(to: &router, service)
    addDecisions(to: &router, service)

    let symbols = SymbolsEndpoint(service: service)
    for method in ["PUT", "POST"] {
      router.add(
        method, "/api/v1/symbols", body: .file(limit: symbolsLimit), before: access.gate(.symbols)
      ) { try symbols.add($0) }
    }
    let parts = PartsEndpoint(
      service: service, symbolsLimit: symbolsLimit.bytes, reportLimit: reportLimit.bytes)
    router.post(
      "/api/v1/uploads", body: .memory(limit: documentLimit), before: parts.gate
    ) { try parts.begin($0) }
    router.put(
      "/api/v1/uploads/:id/:part", body: .file(limit: ByteCount(bytes: PartBook.partSize)),
      before: parts.gate
    ) { try parts.put($0) }
    router.post(
      "/api/v1/uploads/:id/finish", body: .memory(limit: documentLimit), before: parts.gate
    ) { try parts.finish($0) }

    let known = KnownEndpoint(service: service)
    router.post(
      "/api/v1/symbols/known", body: .memory(limit: documentLimit), before: access.gate(.symbols)
    ) { try known.symbols($0) }
    router.post(
      "/api/v1/reports/known", body: .memory(limit: documentLimit), before: access.gate(.ingest)
    ) { try known.reports($0) }
    return router
  }

  /// What those who run the server ask, and what its API is.
  private static func addServer(to router: inout Router, _ service: Service) {
    let health = HealthEndpoint(service: service)
    router.get("/healthz", isQuick: true) { _ in .text("ok\n") }
    router.get("/readyz") { _ in health.ready() }
    router.get("/metrics", before: service.access.gate(.read)) { try health.metrics($0) }
    router.get("/api/v1/openapi.json", middleware: [EntityTags()]) { _ in
      .json(APIDocument.bytes)
    }
  }

  /// Lists and pages; what a client has already is not sent again.
  private static func addQuestions(to router: inout Router, _ service: Service) {
    func get(
      _ pattern: String, _ scope: TokenScope = .read, _ answer: @escaping Route.Handler
    ) {
      router.get(
        "/api/v1" + pattern, middleware: [EntityTags()], before: service.access.gate(scope),
        handler: answer)
    }
    let lists = ListsEndpoint(service: service)
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
    get("/symbols", .symbols) { try lists.debugFiles($0) }
    get("/symbols/missing", .symbols) { try lists.missing($0) }
    let facts = DebugFileFactsEndpoint(service: service)
    get("/symbols/:id", .symbols) { try facts.show($0) }
    get("/stats") { try lists.stats($0) }
    get("/ledger") { try lists.ledger($0) }
    get("/sessions") { try lists.sessions($0) }
    let releases = ReleasesEndpoint(service: service)
    get("/releases") { try releases.list($0) }
    let tokens = TokensEndpoint(service: service)
    get("/tokens", .admin) { _ in try tokens.list() }
    get("/audit", .admin) { try tokens.audit($0) }
    let aside = SetAsideEndpoint(service: service)
    get("/intake", .admin) { try aside.list($0) }
    get("/intake/:id/raw", .admin) { try aside.raw($0) }
  }

  /// What people decide.
  private static func addDecisions(to router: inout Router, _ service: Service) {
    func add(
      _ method: String, _ pattern: String, _ scope: TokenScope, body: Body,
      _ answer: @escaping Route.Handler
    ) {
      router.add(
        method, "/api/v1" + pattern, body: body, before: service.access.gate(scope),
        handler: answer)
    }
    let document = Body.memory(limit: documentLimit)
    let triage = TriageEndpoint(service: service)
    for action in GroupAction.allCases {
      add("POST", "/groups/:id/\(action.rawValue)", .triage, body: document) {
        try triage.act(action, $0)
      }
      add("POST", "/actions/\(action.rawValue)", .triage, body: document) {
        try triage.actOnSeveral(action, $0)
      }
    }
    let releases = ReleasesEndpoint(service: service)
    add("POST", "/releases", .triage, body: document) { try releases.add($0) }
    add("POST", "/releases/remove", .triage, body: document) { try releases.remove($0) }
    add("PUT", "/releases/order", .triage, body: document) { try releases.order($0) }
    let apps = AppsEndpoint(service: service)
    add("POST", "/apps", .admin, body: document) { try apps.add($0) }
    add("POST", "/apps/adopt", .admin, body: document) { try apps.adopt($0) }
    add("POST", "/apps/rename", .admin, body: document) { try apps.rename($0) }
    add("PUT", "/apps/keep", .admin, body: document) { try apps.keep($0) }
    let tokens = TokensEndpoint(service: service)
    add("POST", "/tokens", .admin, body: document) { try tokens.make($0) }
    add("DELETE", "/tokens/:id", .admin, body: .none) { try tokens.revoke($0) }
    let erase = EraseEndpoint(service: service)
    add("POST", "/erase", .admin, body: document) { try erase.erase($0) }
    let doctor = DoctorEndpoint(service: service)
    add("DELETE", "/doctor", .admin, body: .none) { try doctor.clear($0) }
    let aside = SetAsideEndpoint(service: service)
    add("POST", "/intake/retry", .admin, body: .none) { try aside.retry($0) }
    add("POST", "/intake/:id/retry", .admin, body: .none) { try aside.retry($0) }
    add("DELETE", "/intake/:id", .admin, body: .none) { try aside.discard($0) }
  }

  /// What App Center's command line client and those who call its REST API ask for symbols.
  private static func addAppCenterSymbols(to router: inout Router, _ service: Service) {
    let gate = service.access.gate(.symbols)
    let base = "/v0.1/apps/:owner/:app"
    let uploads = AppCenterUploadEndpoint(service: service)
    router.post(
      base + "/symbol_uploads", body: .memory(limit: documentLimit), before: gate
    ) { try uploads.begin($0) }
    router.put(
      "/symbol-blobs/:id", body: .file(limit: symbolsLimit), before: uploads.blobGate
    ) { try uploads.put($0) }
    router.patch(
      base + "/symbol_uploads/:id", body: .memory(limit: documentLimit), before: gate
    ) { try uploads.finish($0) }
    router.get(base + "/symbol_uploads", before: gate) { try uploads.list($0) }
    router.get(base + "/symbol_uploads/:id", before: gate) { try uploads.show($0) }
    router.delete(base + "/symbol_uploads/:id", before: gate) { try uploads.remove($0) }
    let symbols = AppCenterSymbolsEndpoint(service: service)
    router.get("/v0.1/user", before: gate) { try symbols.user($0) }
    router.get(base + "/diagnostics/symbol_groups_info", before: gate) { try symbols.count($0) }
    router.get(base + "/diagnostics/symbol_groups", before: gate) { try symbols.groups($0) }
    router.get(base + "/diagnostics/symbol_groups/:id", before: gate) { try symbols.group($0) }
  }
  /// What those who call App Center's REST API ask for apps and errors.
  private static func addAppCenterErrors(to router: inout Router, _ service: Service) {
    let app = "/v0.1/apps/:owner/:app"
    func add(
      _ method: String, _ pattern: String, scope: TokenScope = .read, body: Body = .none,
      _ answer: @escaping @Sendable (AppCenterCall) throws -> Response
    ) {
      router.add(method, app + pattern, body: body, before: AppCenterCall.gate(scope, of: service))
      { try AppCenterCall.answer($0, scope, of: service, answer) }
    }
    let apps = AppCenterAppsEndpoint(service: service)
    router.get("/v0.1/apps", before: AppCenterCall.gate(.read, of: service)) { try apps.list($0) }
    add("GET", "", apps.show)

    let groups = AppCenterErrorGroupsEndpoint()
    let document = Body.memory(limit: documentLimit)
    add("GET", "/errors/errorGroups", groups.list)
    add("GET", "/errors/errorGroups/search", groups.search)
    let group = "/errors/errorGroups/:group"
    add("GET", group, groups.show)
    add("PATCH", group, scope: .triage, body: document, groups.change)
    add("GET", group + "/stacktrace", groups.stacktrace)
    add("GET", group + "/models", groups.models)
    add("GET", group + "/operatingSystems", groups.systems)

    let errors = AppCenterErrorsEndpoint()
    add("GET", "/errors/search", errors.search)
    add("GET", group + "/errors", errors.list)
    add("GET", group + "/errors/latest", errors.latest)
    let report = group + "/errors/:report"
    add("GET", report, errors.show)
    add("DELETE", report, scope: .triage, errors.remove)
    add("GET", report + "/stacktrace", errors.stacktrace)
    add("GET", report + "/download", errors.download)
    add("GET", report + "/location", errors.location)

    let attachments = AppCenterErrorAttachmentsEndpoint()
    add("GET", "/errors/:report/attachments", attachments.list)
    add("GET", "/errors/:report/attachments/:attachment/text", attachments.text)
    add("GET", "/errors/:report/attachments/:attachment/location", attachments.location)

    let figures = AppCenterErrorFiguresEndpoint()
    add("GET", "/errors/errorCountsPerDay", figures.countsPerDay)
    add("GET", group + "/errorCountsPerDay", figures.groupCountsPerDay)
    add("GET", "/errors/errorfreeDevicePercentages", figures.freeOfErrors)
    add("GET", group + "/errorfreeDevicePercentages", figures.groupFreeOfErrors)
    add("GET", "/errors/available_versions", figures.versions)
    add("GET", "/errors/availableAppBuilds", figures.builds)
    add("GET", "/errors/retention_settings", figures.retention)
    // How long reports are kept is for those who run the server.
    add("PUT", "/errors/retention_settings", scope: .admin, body: document, figures.setRetention)
  }
}
