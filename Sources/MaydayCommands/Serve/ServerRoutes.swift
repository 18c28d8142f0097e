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
  private static let symbolsLimit: ByteCount = .gibibytes(4)
  private static let documentLimit: ByteCount = .mebibytes(1)

  static func router(of service: Service) -> Router {
    var router = Router()
    let access = service.access

    let health = HealthEndpoint(service: service)
    router.get("/healthz", isQuick: true) { _ in .text("ok\n") }
    router.get("/readyz") { _ in health.ready() }
    router.get("/metrics", before: access.gate(.read)) { _ in try health.metrics() }

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

    let symbols = SymbolsEndpoint(service: service)
    for method in ["PUT", "POST"] {
      router.add(
        method, "/api/v1/symbols", body: .file(limit: symbolsLimit), before: access.gate(.symbols)
      ) { try symbols.add($0) }
    }
    router.get("/api/v1/symbols", before: access.gate(.symbols)) { try symbols.list($0) }
    router.get("/api/v1/symbols/missing", before: access.gate(.symbols)) {
      try symbols.missing($0)
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

    let lists = ListsEndpoint(service: service)
    router.get("/api/v1/apps", before: access.gate(.read)) { try lists.apps($0) }
    router.get("/api/v1/fields", before: access.gate(.read)) { _ in lists.fields() }
    router.get("/api/v1/groups", before: access.gate(.read)) { try lists.groups($0) }
    router.get("/api/v1/groups/:id", before: access.gate(.read)) { try lists.group($0) }
    router.get("/api/v1/reports", before: access.gate(.read)) { try lists.reports($0) }
    router.get("/api/v1/reports/:id", before: access.gate(.read)) { try lists.report($0) }
    router.get("/api/v1/reports/:id/raw", before: access.gate(.read)) { try lists.raw($0) }
    router.get("/api/v1/reports/:id/attachments/:name", before: access.gate(.read)) {
      try lists.attachment($0)
    }
    router.get("/api/v1/releases", before: access.gate(.read)) { try lists.releases($0) }

    let triage = TriageEndpoint(service: service)
    router.post(
      "/api/v1/groups/:id/:action", body: .memory(limit: documentLimit),
      before: access.gate(.triage)
    ) { try triage.act($0) }

    let tokens = TokensEndpoint(service: service)
    router.get("/api/v1/tokens", before: access.gate(.admin)) { _ in try tokens.list() }
    router.post(
      "/api/v1/tokens", body: .memory(limit: documentLimit), before: access.gate(.admin)
    ) { try tokens.make($0) }
    router.delete("/api/v1/tokens/:id", before: access.gate(.admin)) { try tokens.revoke($0) }
    router.get("/api/v1/audit", before: access.gate(.admin)) { try tokens.audit($0) }
    let erase = EraseEndpoint(service: service)
    router.post(
      "/api/v1/erase", body: .memory(limit: documentLimit), before: access.gate(.admin)
    ) { try erase.erase($0) }
    let doctor = DoctorEndpoint(service: service)
    router.delete("/api/v1/doctor", before: access.gate(.admin)) { try doctor.clear($0) }
    addSetAside(to: &router, service)
    return router
  }

  /// What could not be filed.
  private static func addSetAside(to router: inout Router, _ service: Service) {
    let gate = service.access.gate(.admin)
    let aside = SetAsideEndpoint(service: service)
    router.get("/api/v1/intake", before: gate) { try aside.list($0) }
    router.get("/api/v1/intake/:id/raw", before: gate) { try aside.raw($0) }
    router.post("/api/v1/intake/retry", before: gate) { try aside.retry($0) }
    router.post("/api/v1/intake/:id/retry", before: gate) { try aside.retry($0) }
    router.delete("/api/v1/intake/:id", before: gate) { try aside.discard($0) }
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
