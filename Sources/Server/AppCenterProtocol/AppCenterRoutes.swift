internal import APIDocuments
internal import CrashService
package import HTTP
package import ServerCore
internal import ServerStore

/// The routes of App Center's SDKs and its REST API. Owners of apps are ignored.
package enum AppCenterRoutes {
  /// Size limit of an SDK's request, whose attachments have 7 MB in base64; an SDK holds at most 10 MiB.
  private static let logsLimit: ByteCount = .mebibytes(32)
  /// The maximum number of path components before `logs`.
  private static let logsDepth = 16
  /// Time limit of such a request, which may use a slow mobile connection.
  private static let logsDeadline: Duration = .seconds(600)

  private static let app = "/v0.1/apps/:owner/:app"

  /// Adds all of these routes to a server's router.
  package static func add(to router: inout Router, _ context: ServerContext) {
    addLogs(to: &router, context)
    DistributeRoutes.add(to: &router, context)

    let apps = AppCenterAppsEndpoint(context: context)
    router.get(
      "/v0.1/user",
      before: AppCenterCall.authorization(AppCenterAppsEndpoint.userScopes, of: context)
    ) { try apps.user($0) }
    router.get("/v0.1/apps", before: AppCenterCall.authorization([.read], of: context)) {
      try apps.list($0)
    }
    for pattern in ["/v0.1/apps", "/v0.1/orgs/:owner/apps"] {
      router.post(
        pattern, body: .memory(limit: APILimits.document),
        before: AppCenterCall.authorization([.admin], of: context)
      ) { try apps.make($0) }
    }
    // CI jobs check that the app exists before they upload.
    add("GET", "", [.read, .releases, .symbols], to: &router, context, apps.show)
    addUploads(to: &router, context)
    addSymbols(to: &router, context)
    addErrors(to: &router, context)
    addCrashes(to: &router, context)
    addReleases(to: &router, context)
    // The gateway answered unknown addresses before it read the body.
    for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
      router.add(method, "/v0.1/*rest", before: { AppCenterFamily.unknownRoute($0) }) {
        AppCenterFamily.unknownRoute($0.head)
      }
    }
  }

  /// Whether a request names the secret of an app.
  @Sendable private static func hasSecret(_ head: RequestHead) -> Bool {
    head.headers["App-Secret"]?.isEmpty == false
  }

  private static func addLogs(to router: inout Router, _ context: ServerContext) {
    let appCenter = AppCenterEndpoint(context: context)
    // SDKs append it to whatever address they were given. Other protocols have paths with that ending, such
    // as OpenTelemetry's `/v1/logs`: below a path, a request needs the header that every SDK sends.
    for depth in 0...logsDepth {
      let prefix = (0..<depth).map { "/:prefix\($0)" }.joined()
      var condition: Route.Condition?
      if depth > 0 { condition = hasSecret }
      router.add(
        "POST", prefix + "/logs",
        body: .sent(limit: logsLimit),
        deadline: logsDeadline, isAnonymous: true,
        where: condition, before: appCenter.authorization,
        refusing: appCenter.refusing
      ) { appCenter.submit($0) }
    }
  }

  private static func add(
    _ method: String, _ pattern: String, _ scopes: [TokenScope] = [.read],
    _ family: AppCenterFamily = .errors, body: Body = .none, to router: inout Router,
    _ context: ServerContext, _ answer: @escaping @Sendable (AppCenterCall) throws -> Response
  ) {
    router.add(
      method, app + pattern, body: body,
      before: AppCenterCall.authorization(scopes, family, of: context)
    ) { try AppCenterCall.answer($0, scopes, family, of: context, answer) }
  }

  /// Adds the three steps of an upload, and the list of uploads.
  private static func addUploads(to router: inout Router, _ context: ServerContext) {
    let document = Body.memory(limit: APILimits.document)
    let uploads = AppCenterUploadEndpoint(context: context)
    func add(
      _ method: String, _ pattern: String, body: Body = .none,
      _ answer: @escaping @Sendable (AppCenterCall) throws -> Response
    ) {
      Self.add(
        method, "/symbol_uploads" + pattern, [.symbols], .symbols, body: body, to: &router, context,
        answer)
    }
    add("POST", "", body: document, uploads.begin)
    add("PATCH", "/:id", body: document, uploads.finish)
    add("GET", "", uploads.list)
    add("GET", "/:id", uploads.show)
    add("GET", "/:id/location", uploads.location)
    add("DELETE", "/:id", uploads.remove)

    let blobs = AppCenterBlobEndpoint(context: context, limit: APILimits.symbols.bytes)
    router.put(
      "/symbol-blobs/:id", body: .file(limit: APILimits.symbols),
      before: StorageFailureResponse.authorization(context, before: blobs.authorization)
    ) { try blobs.put($0) }
    let authorization = AppCenterCall.authorization([.symbols], .symbols, of: context)
    router.get("/symbol-blobs/:id", before: authorization) {
      try AppCenterCall.answer($0, [.symbols], .symbols, of: context, blobs.get)
    }
  }

  /// Adds the lists of present and of missing symbols.
  private static func addSymbols(to router: inout Router, _ context: ServerContext) {
    let symbols = AppCenterSymbolsEndpoint()
    func add(
      _ pattern: String, _ family: AppCenterFamily,
      _ answer: @escaping @Sendable (AppCenterCall) throws -> Response
    ) {
      Self.add("GET", pattern, [.symbols, .read], family, to: &router, context, answer)
    }
    add("/symbols", .symbols, symbols.list)
    add("/symbols/:symbol", .symbols, symbols.show)
    add("/symbols/:symbol/status", .symbols, symbols.status)
    add("/symbols/:symbol/location", .symbols, symbols.location)
    add("/symbols/:symbol/file", .symbols, symbols.file)
    Self.add(
      "POST", "/symbols/:symbol/ignore", [.symbols], .symbols,
      body: .memory(limit: APILimits.document),
      to: &router, context, symbols.ignore)
    add("/diagnostics/symbol_groups_info", .diagnostics, symbols.count)
    add("/diagnostics/symbol_groups", .diagnostics, symbols.groups)
    add("/diagnostics/symbol_groups/:id", .diagnostics, symbols.group)
  }

  // MARK: Questions about reports

  typealias Answer = @Sendable (AppCenterCall) throws -> Response

  /// An operation below the address of an app.
  struct Operation {
    let method: String
    let pattern: String
    /// The scopes of which the token needs one.
    var scopes = [TokenScope.read]
    var body = Body.none
    let answer: Answer

    static func get(_ pattern: String, _ answer: @escaping Answer) -> Operation {
      Operation(method: "GET", pattern: pattern, answer: answer)
    }
  }

  static func add(
    _ operations: [Operation], below part: String = "", _ family: AppCenterFamily,
    to router: inout Router, _ context: ServerContext
  ) {
    for operation in operations {
      add(
        operation.method, part + operation.pattern, operation.scopes, family, body: operation.body,
        to: &router, context, operation.answer)
    }
  }

  /// Adds groups and reports.
  private static func addErrors(to router: inout Router, _ context: ServerContext) {
    let groups = AppCenterErrorGroupsEndpoint()
    let errors = AppCenterErrorsEndpoint()
    let attachments = AppCenterErrorAttachmentsEndpoint()
    let figures = AppCenterErrorFiguresEndpoint()
    let document = Body.memory(limit: APILimits.document)
    let group = "/errorGroups/:group"
    let report = group + "/errors/:report"
    let operations: [Operation] = [
      .get("/errorGroups", groups.list),
      .get("/errorGroups/search", groups.search),
      .get(group, groups.show),
      Operation(
        method: "PATCH", pattern: group, scopes: [.triage], body: document, answer: groups.change),
      .get(group + "/stacktrace", groups.stacktrace),
      .get(group + "/models", groups.models),
      .get(group + "/operatingSystems", groups.systems),

      .get("/search", errors.search),
      .get(group + "/errors", errors.list),
      .get(group + "/errors/latest", errors.latest),
      .get(report, errors.show),
      Operation(method: "DELETE", pattern: report, scopes: [.triage], answer: errors.remove),
      .get(report + "/stacktrace", errors.stacktrace),
      .get(report + "/download", errors.download),
      .get(report + "/location", errors.location),

      .get("/:report/sessionLogs", AppCenterSessionLogsEndpoint().list),
      .get("/:report/attachments", attachments.list),
      .get("/:report/attachments/:attachment/text", attachments.text),
      .get("/:report/attachments/:attachment/location", attachments.location),

      .get("/errorCountsPerDay", figures.countsPerDay),
      .get(group + "/errorCountsPerDay", figures.groupCountsPerDay),
      .get("/errorfreeDevicePercentages", figures.freeOfErrors),
      .get(group + "/errorfreeDevicePercentages", figures.groupFreeOfErrors),
      .get("/available_versions", figures.versions),
      .get("/availableAppBuilds", figures.builds),
      .get("/retention_settings", figures.retention),
      // Retention is the operator's decision.
      Operation(
        method: "PUT", pattern: "/retention_settings", scopes: [.admin], body: document,
        answer: figures.setRetention),
    ]
    add(operations, below: "/errors", .errors, to: &router, context)
    let files = AppCenterLogFileEndpoint(intake: IntakeEndpoint(context: context))
    router.post(
      app + "/errors/upload", body: .multipart(MultipartLimits(body: APILimits.report)),
      before: files.authorization
    ) { try AppCenterCall.answer($0, [.ingest], .errors, of: context, files.upload) }
  }

  /// Adds groups, crashes and figures under the names used before `errors`.
  private static func addCrashes(to router: inout Router, _ context: ServerContext) {
    let crashes = AppCenterCrashGroupsEndpoint()
    let attachments = AppCenterErrorAttachmentsEndpoint()
    let document = Body.memory(limit: APILimits.document)
    let group = "/crash_groups/:group"
    let report = group + "/crashes/:report"
    let operations: [Operation] = [
      .get("/crash_groups", crashes.list),
      .get(group, crashes.show),
      Operation(
        method: "PATCH", pattern: group, scopes: [.triage], body: document, answer: crashes.change),
      .get(group + "/stacktrace", crashes.groupStacktrace),
      .get(group + "/crashes", crashes.crashes),
      .get(report, crashes.crash),
      Operation(method: "DELETE", pattern: report, scopes: [.triage], answer: crashes.remove),
      .get(report + "/stacktrace", crashes.stacktrace),
      .get(report + "/native", crashes.native),
      .get(report + "/native/download", crashes.download),
      .get(report + "/raw/location", AppCenterErrorsEndpoint().location),

      .get("/crashes/:report/attachments", attachments.list),
      .get("/crashes/:report/attachments/:attachment/text", attachments.text),
      .get("/crashes/:report/attachments/:attachment/location", attachments.location),
      .get("/crashes/:report/session_logs", AppCenterSessionLogsEndpoint().list),
      .get("/crashes_info", crashes.info),
    ]
    add(operations, .crashes, to: &router, context)

    let analytics = AppCenterAnalyticsEndpoint()
    let figures: [Operation] = [
      .get("/crash_counts", analytics.crashCounts),
      .get("/crashfree_device_percentages", analytics.crashFreeDevices),
      // A query, despite its method: the request has a document.
      Operation(
        method: "POST", pattern: "/crash_groups", body: document,
        answer: analytics.overallOfSeveral),
      .get(group + "/crash_counts", analytics.groupCrashCounts),
      .get(group + "/overall", analytics.overall),
      .get(group + "/models", analytics.models),
      .get(group + "/operating_systems", analytics.systems),
    ]
    add(figures, below: "/analytics", .analytics, to: &router, context)
  }
}
