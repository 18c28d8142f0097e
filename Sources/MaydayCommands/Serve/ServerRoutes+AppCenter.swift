import CrashModel
import HTTP
import ServerStore

/// The addresses of App Center's REST API. Owners of apps mean nothing here.
extension ServerRoutes {
  private static let app = "/v0.1/apps/:owner/:app"

  static func addAppCenter(to router: inout Router, _ service: Service) {
    let apps = AppCenterAppsEndpoint(service: service)
    router.get(
      "/v0.1/user", before: AppCenterCall.gate(AppCenterAppsEndpoint.userScopes, of: service)
    ) { try apps.user($0) }
    router.get("/v0.1/apps", before: AppCenterCall.gate([.read], of: service)) {
      try apps.list($0)
    }
    for pattern in ["/v0.1/apps", "/v0.1/orgs/:owner/apps"] {
      router.post(
        pattern, body: .memory(limit: documentLimit),
        before: AppCenterCall.gate([.admin], of: service)
      ) { try apps.make($0) }
    }
    add("GET", "", to: &router, service, apps.show)
    addUploads(to: &router, service)
    addSymbols(to: &router, service)
    addErrors(to: &router, service)
    addCrashes(to: &router, service)
    // What no operation has, the gateway answered, before it looked at the body.
    for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
      router.add(method, "/v0.1/*rest", before: { AppCenterFamily.unknownRoute($0) }) {
        AppCenterFamily.unknownRoute($0.head)
      }
    }
  }

  private static func add(
    _ method: String, _ pattern: String, _ scopes: [TokenScope] = [.read],
    _ family: AppCenterFamily = .errors, body: Body = .none, to router: inout Router,
    _ service: Service, _ answer: @escaping @Sendable (AppCenterCall) throws -> Response
  ) {
    router.add(
      method, app + pattern, body: body, before: AppCenterCall.gate(scopes, family, of: service)
    ) { try AppCenterCall.answer($0, scopes, family, of: service, answer) }
  }

  /// The three steps of an upload, and what was uploaded.
  private static func addUploads(to router: inout Router, _ service: Service) {
    let document = Body.memory(limit: documentLimit)
    let uploads = AppCenterUploadEndpoint(service: service)
    func add(
      _ method: String, _ pattern: String, body: Body = .none,
      _ answer: @escaping @Sendable (AppCenterCall) throws -> Response
    ) {
      Self.add(
        method, "/symbol_uploads" + pattern, [.symbols], .symbols, body: body, to: &router, service,
        answer)
    }
    add("POST", "", body: document, uploads.begin)
    add("PATCH", "/:id", body: document, uploads.finish)
    add("GET", "", uploads.list)
    add("GET", "/:id", uploads.show)
    add("GET", "/:id/location", uploads.location)
    add("DELETE", "/:id", uploads.remove)

    let blobs = AppCenterBlobEndpoint(service: service, limit: symbolsLimit.bytes)
    router.put("/symbol-blobs/:id", body: .file(limit: symbolsLimit), before: blobs.gate) {
      try blobs.put($0)
    }
    let gate = AppCenterCall.gate([.symbols], .symbols, of: service)
    router.get("/symbol-blobs/:id", before: gate) {
      try AppCenterCall.answer($0, [.symbols], .symbols, of: service, blobs.get)
    }
  }

  /// Symbols that are there, and symbols that are missing.
  private static func addSymbols(to router: inout Router, _ service: Service) {
    let symbols = AppCenterSymbolsEndpoint()
    func add(
      _ pattern: String, _ family: AppCenterFamily,
      _ answer: @escaping @Sendable (AppCenterCall) throws -> Response
    ) {
      Self.add("GET", pattern, [.symbols, .read], family, to: &router, service, answer)
    }
    add("/symbols", .symbols, symbols.list)
    add("/symbols/:symbol", .symbols, symbols.show)
    add("/symbols/:symbol/status", .symbols, symbols.status)
    add("/symbols/:symbol/location", .symbols, symbols.location)
    add("/symbols/:symbol/file", .symbols, symbols.file)
    Self.add(
      "POST", "/symbols/:symbol/ignore", [.symbols], .symbols, body: .memory(limit: documentLimit),
      to: &router, service, symbols.ignore)
    add("/diagnostics/symbol_groups_info", .diagnostics, symbols.count)
    add("/diagnostics/symbol_groups", .diagnostics, symbols.groups)
    add("/diagnostics/symbol_groups/:id", .diagnostics, symbols.group)
  }

  /// Groups and reports.
  private static func addErrors(to router: inout Router, _ service: Service) {
    func add(
      _ method: String, _ pattern: String, scope: TokenScope = .read, body: Body = .none,
      _ answer: @escaping @Sendable (AppCenterCall) throws -> Response
    ) {
      Self.add(
        method, "/errors" + pattern, [scope], .errors, body: body, to: &router, service, answer)
    }
    let groups = AppCenterErrorGroupsEndpoint()
    let document = Body.memory(limit: documentLimit)
    add("GET", "/errorGroups", groups.list)
    add("GET", "/errorGroups/search", groups.search)
    let group = "/errorGroups/:group"
    add("GET", group, groups.show)
    add("PATCH", group, scope: .triage, body: document, groups.change)
    add("GET", group + "/stacktrace", groups.stacktrace)
    add("GET", group + "/models", groups.models)
    add("GET", group + "/operatingSystems", groups.systems)

    let errors = AppCenterErrorsEndpoint()
    add("GET", "/search", errors.search)
    add("GET", group + "/errors", errors.list)
    add("GET", group + "/errors/latest", errors.latest)
    let report = group + "/errors/:report"
    add("GET", report, errors.show)
    add("DELETE", report, scope: .triage, errors.remove)
    add("GET", report + "/stacktrace", errors.stacktrace)
    add("GET", report + "/download", errors.download)
    add("GET", report + "/location", errors.location)

    add("GET", "/:report/sessionLogs", AppCenterSessionLogsEndpoint().list)
    let attachments = AppCenterErrorAttachmentsEndpoint()
    add("GET", "/:report/attachments", attachments.list)
    add("GET", "/:report/attachments/:attachment/text", attachments.text)
    add("GET", "/:report/attachments/:attachment/location", attachments.location)

    let figures = AppCenterErrorFiguresEndpoint()
    add("GET", "/errorCountsPerDay", figures.countsPerDay)
    add("GET", group + "/errorCountsPerDay", figures.groupCountsPerDay)
    add("GET", "/errorfreeDevicePercentages", figures.freeOfErrors)
    add("GET", group + "/errorfreeDevicePercentages", figures.groupFreeOfErrors)
    add("GET", "/available_versions", figures.versions)
    add("GET", "/availableAppBuilds", figures.builds)
    add("GET", "/retention_settings", figures.retention)
    // How long reports are kept is for those who run the server.
    add("PUT", "/retention_settings", scope: .admin, body: document, figures.setRetention)
  }

  /// Groups and crashes by the names that they had before `errors`.
  private static func addCrashes(to router: inout Router, _ service: Service) {
    func add(
      _ method: String, _ pattern: String, scope: TokenScope = .read, body: Body = .none,
      _ answer: @escaping @Sendable (AppCenterCall) throws -> Response
    ) {
      Self.add(method, pattern, [scope], .crashes, body: body, to: &router, service, answer)
    }
    let crashes = AppCenterCrashGroupsEndpoint()
    add("GET", "/crash_groups", crashes.list)
    let group = "/crash_groups/:group"
    add("GET", group, crashes.show)
    add("PATCH", group, scope: .triage, body: .memory(limit: documentLimit), crashes.change)
    add("GET", group + "/stacktrace", crashes.groupStacktrace)
    add("GET", group + "/crashes", crashes.crashes)
    let report = group + "/crashes/:report"
    add("GET", report, crashes.crash)
    add("DELETE", report, scope: .triage, crashes.remove)
    add("GET", report + "/stacktrace", crashes.stacktrace)
    add("GET", report + "/native", crashes.native)
    add("GET", report + "/native/download", crashes.download)
    add("GET", report + "/raw/location", AppCenterErrorsEndpoint().location)

    let attachments = AppCenterErrorAttachmentsEndpoint()
    add("GET", "/crashes/:report/attachments", attachments.list)
    add("GET", "/crashes/:report/attachments/:attachment/text", attachments.text)
    add("GET", "/crashes/:report/attachments/:attachment/location", attachments.location)
    add("GET", "/crashes/:report/session_logs", AppCenterSessionLogsEndpoint().list)
    add("GET", "/crashes_info", crashes.info)
  }
}
