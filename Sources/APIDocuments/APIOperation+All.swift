internal import Rendering
internal import CrashService
internal import CrashStore
internal import HTTP
internal import ServerStore

/// Every address of the API, in the order in which the document has them.
extension APIOperation {
  package static let all: [APIOperation] =
    groups + reports + apps + appChanges + symbols + uploads + figures + tokens + upkeep + server

  private static func listed(_ name: String) -> Answer {
    .json(.ok, "The list.", .list(.named(name)))
  }

  private static func asked(
    _ name: String, _ schema: APISchema, _ meaning: String, isRequired: Bool = false
  ) -> Parameter {
    Parameter(name: name, schema: schema, meaning: meaning, isRequired: isRequired)
  }

  private static let narrowing = asked("query", .text(), "What to narrow the list to: /fields.")
  private static let ofApp = asked("app", .text(), "Only this app.")

  private static let sources = asked(
    "source", .integer(1...APILimits.sourceLines),
    "Lines of source to show per frame, where available.")

  /// A list in parts.
  private static func paging(_ orders: [String]) -> [Parameter] {
    [
      narrowing,
      asked("limit", .integer(1...APILimits.list.most), "The most elements; else 100."),
      asked("after", .text(atLeast: 1), "The `next` value of the previous page."),
      asked("sort", .choice(orders + orders.map { "-" + $0 }), "With - from the other end."),
    ]
  }

  // MARK: Groups

  private static let groups: [APIOperation] =
    [
      APIOperation(
        method: "GET", pattern: "/api/v1/groups", name: "listGroups", summary: "Groups.",
        tag: "groups", scope: .read, query: paging(GroupOrder.allCases.map(\.rawValue)),
        responses: [.json(.ok, "A page of the list.", .page("GroupSummary"))]),
      counts("groups"),
      APIOperation(
        method: "GET", pattern: "/api/v1/groups/:id", name: "getGroup",
        summary: "A group, where it was seen, and its exemplar.", tag: "groups",
        scope: .read, query: [sources],
        responses: [.json(.ok, "As `mayday show --json`.", .named("Group"))]),
      APIOperation(
        method: "GET", pattern: "/api/v1/groups/:id/keys", name: "listGroupKeys",
        summary: "The keys of a group, by which it can be split.", tag: "groups", scope: .read,
        responses: [listed("GroupKey")]),
      APIOperation(
        method: "GET", pattern: "/api/v1/groups/trend", name: "getGroupTrends",
        summary: "Reports received per day; days without reports are omitted.",
        tag: "groups", scope: .read,
        query: [
          asked("groups", .text(atLeast: 1), "Names, with commas between.", isRequired: true),
          asked("from", .day, "The first day.", isRequired: true),
          asked("to", .day, "The last day.", isRequired: true), narrowing,
        ],
        responses: [
          .json(
            .ok, "Of each group.",
            .list(.object([.always("group", .text()), .always("days", days)])))
        ], refusals: [.notFound]),
    ] + GroupAction.allCases.flatMap { [single($0), several($0)] }

  private static func single(_ action: GroupAction) -> APIOperation {
    APIOperation(
      method: "POST", pattern: "/api/v1/groups/:id/\(action.rawValue)", name: action.rawValue,
      summary: action.summary, tag: "triage", scope: .triage, input: .json(action.members),
      responses: [.json(.ok, "The group as it is then.", .named("GroupSummary"))],
      refusals: [.conflict])
  }

  private static func several(_ action: GroupAction) -> APIOperation {
    APIOperation(
      method: "POST", pattern: "/api/v1/actions/\(action.rawValue)", name: action.rawValue + "All",
      summary: action.summary + " With several groups, all change or none.", tag: "triage",
      scope: .triage,
      input: .json(
        [
          .always(
            "groups",
            .list(.text(atLeast: 1), atLeast: 1, atMost: GroupAction.mostGroups))
        ] + action.members),
      responses: [
        .json(
          .ok, "The groups as they are then.",
          .object([
            .always("groups", .list(.named("GroupSummary"))),
            .always("warnings", .list(.text()), "What may be another than was meant."),
          ]))
      ],
      refusals: [.notFound, .conflict])
  }

  /// How many reports and groups have each value of a field.
  private static func counts(_ noun: String) -> APIOperation {
    APIOperation(
      method: "GET", pattern: "/api/v1/\(noun)/counts", name: "count\(noun.capitalizedFirst)",
      summary: "The values of a field, with how many \(noun) have each.", tag: noun,
      scope: .read,
      query: [
        asked("by", .text(), "The field: see /fields.", isRequired: true), narrowing,
        asked("limit", .integer(1...APILimits.list.most), "The most values; else all."),
      ],
      responses: [
        .json(
          .ok, "Most frequent first.",
          .object([
            .always(
              "items",
              .list(
                .object([
                  .always("value", .either([.text(), .nothing]), "Null: the report has none."),
                  .always("reports", .count), .always("groups", .count),
                ]))),
            .always("total", .count, "How many \(noun) there are."),
            .always("omitted", .count, "How many values there are besides."),
          ]))
      ])
  }

  private static let days = APISchema.list(
    .object([.always("day", .day), .always("reports", .count)]))

  // MARK: Reports

  private static let reports: [APIOperation] = [
    APIOperation(
      method: "GET", pattern: "/api/v1/reports", name: "listReports",
      summary: "Reports, the newest first.", tag: "reports", scope: .read,
      query: paging(ReportOrder.allCases.map(\.rawValue)),
      responses: [.json(.ok, "A page of the list.", .page("ReportSummary"))]),
    APIOperation(
      method: "POST", pattern: "/api/v1/reports", name: "submitReport",
      summary: "Hand in a report of any format, an archive of many, or one with attachments.",
      tag: "reports", scope: .ingest,
      query: [
        asked("app", .text(atLeast: 1), "Whose report it is, where it does not say."),
        asked("name", .text(), "The name of the file."),
      ],
      input: Input(
        contents: [
          ("application/octet-stream", .bytes),
          (
            "multipart/form-data",
            .object([.always("file", .bytes), .maybe("attachment", .bytes)])
          ),
        ], isRequired: true),
      responses: [
        .json(
          .accepted, "It is on disk and will be processed.",
          .object([
            .always("status", .choice(["accepted"])),
            .always("id", .text(), "What it is asked for by: /submissions/{id}."),
            .always("bytes", .count),
          ]))
      ], refusals: [.conflict, .tooManyRequests]),
    APIOperation(
      method: "GET", pattern: "/api/v1/submissions/:id", name: "getSubmissionStatus",
      summary: "The outcome of a submission, kept for a week.", tag: "reports", scope: .ingest,
      responses: [.json(.ok, "How far it is.", .named("Submission"))]),
    counts("reports"),
    APIOperation(
      method: "GET", pattern: "/api/v1/reports/trend", name: "getTrend",
      summary: "Reports received per day.", tag: "reports", scope: .read,
      query: [narrowing], responses: [.json(.ok, "The oldest first.", days)]),
    APIOperation(
      method: "POST", pattern: "/api/v1/reports/known", name: "knownReports",
      summary: "Which submissions the server already has.", tag: "reports", scope: .ingest,
      input: .json(Array(known.dropLast())),
      responses: [.json(.ok, "Those that are.", knownAnswer)]),
    APIOperation(
      method: "GET", pattern: "/api/v1/reports/:id", name: "getReport", summary: "A report.",
      tag: "reports", scope: .read,
      query: [sources],
      responses: [.json(.ok, "As `mayday show --json`.", .named("Report"))],
      refusals: [.conflict]),
    APIOperation(
      method: "GET", pattern: "/api/v1/reports/:id/place", name: "getPlace",
      summary: "How a report got into its group.", tag: "reports", scope: .read,
      responses: [
        .json(
          .ok, "Of `mayday explain`.",
          .object([
            .always("app", .text()), .always("group", .text()),
            .always("home", .text(), "The group it would be in without merges."),
            .always("found", .object([.always("by", .text()), .maybe("detail", .text())])),
            .maybe("owner_of_key", .text(), "The group that its key leads to, if another."),
            .maybe("split_from", .text()), .maybe("split_rule", .text()),
          ]))
      ], refusals: [.conflict]),
    APIOperation(
      method: "GET", pattern: "/api/v1/reports/:id/versions", name: "listVersions",
      summary: "A report as it was before it was reprocessed.", tag: "reports",
      scope: .read,
      responses: [
        .json(
          .ok, "Oldest first.",
          .object([
            .always("report", .text()), .always("group", .text()),
            .always(
              "versions",
              .list(
                .object([
                  .always("number", .count), .always("replaced", .time),
                  .always("group", .text()),
                  .always("arrived", .list(.text()), "Debug ids whose files arrived."),
                  .always("document", .digest),
                ]))),
          ]))
      ], refusals: [.conflict]),
    APIOperation(
      method: "GET", pattern: "/api/v1/reports/:id/versions/:number", name: "getVersion",
      summary: "A report as it was.", tag: "reports", scope: .read,
      responses: [.json(.ok, "The report.", .named("Report"))], refusals: [.conflict]),
    APIOperation(
      method: "GET", pattern: "/api/v1/reports/:id/archive", name: "getArchive",
      summary: "Everything of a report in one zip.", tag: "reports", scope: .read,
      responses: [
        Answer(status: .ok, meaning: "The archive.", content: ("application/zip", .bytes))
      ], refusals: [.conflict]),
    APIOperation(
      method: "GET", pattern: "/api/v1/reports/:id/raw", name: "getSubmission",
      summary: "The original bytes.", tag: "reports", scope: .read,
      responses: [.bytes(.ok, "The bytes.")], refusals: [.conflict]),
    APIOperation(
      method: "GET", pattern: "/api/v1/reports/:id/attachments/:name", name: "getAttachment",
      summary: "A report's attachment.", tag: "reports", scope: .read,
      responses: [.bytes(.ok, "The bytes.")], refusals: [.conflict]),
  ]

  private static let known: [APIMember] = [
    .always("digests", .list(.digest, atMost: APILimits.digests), "SHA-256 of each file."),
    .maybe("app", .text()), .maybe("version", .text()),
  ]

  private static let knownAnswer = APISchema.object([.always("known", .list(.digest))])

  // MARK: Apps

  private static let apps: [APIOperation] = [
    APIOperation(
      method: "GET", pattern: "/api/v1/apps", name: "listApps", summary: "Apps.", tag: "apps",
      scope: .read, responses: [listed("App")]),
    APIOperation(
      method: "GET", pattern: "/api/v1/releases", name: "listReleases",
      summary: "Releases, in their order.", tag: "apps", scope: .read, query: [ofApp],
      responses: [listed("Release")], refusals: [.notFound]),
    changed("POST", "", "addReleases", "Add releases before a report names them.", atLeast: 1),
    changed("POST", "/remove", "removeReleases", "Take away releases without reports.", atLeast: 1),
    changed(
      "PUT", "/order", "orderReleases",
      "Set the order, oldest first; without one, releases are ordered by number."),
    APIOperation(
      method: "GET", pattern: "/api/v1/fields", name: "listFields",
      summary: "What a query may ask for.", tag: "apps", scope: .read,
      responses: [listed("Field")]),
  ]

  private static func changed(
    _ method: String, _ path: String, _ name: String, _ summary: String, atLeast least: Int = 0
  ) -> APIOperation {
    APIOperation(
      method: method, pattern: "/api/v1/releases" + path, name: name, summary: summary,
      tag: "apps", scope: .triage,
      input: .json([
        .always("app", .text(atLeast: 1)),
        .always(
          "releases", .list(.text(atLeast: 1), atLeast: least, atMost: APILimits.releases),
          "1.5.0, or 1.5.0 (600) with the build."),
      ]),
      responses: [listed("Release")], refusals: [.notFound, .conflict])
  }

  // MARK: Debug files

  private static let verdicts = APISchema.object([
    .always("files", .list(.named("DebugFileVerdict")))
  ])

  private static func upload(_ method: String, _ name: String) -> APIOperation {
    APIOperation(
      method: method, pattern: "/api/v1/symbols", name: name,
      summary: "Hand in a debug file, or an archive of them.", tag: "symbols", scope: .symbols,
      query: [
        asked("name", .text(), "The name of the file."),
        asked("app", .text(atLeast: 1), "Whose release it belongs to."),
        asked("version", .text(), "The release that it belongs to; needs app."),
      ],
      input: Input(contents: [("application/octet-stream", .bytes)], isRequired: true),
      responses: [
        .json(.created, "Stored.", verdicts), .json(.ok, "All were there already.", verdicts),
        .json(.unprocessableContent, "None can be used.", verdicts),
      ], refusals: [.conflict])
  }

  private static let symbols: [APIOperation] = [
    APIOperation(
      method: "GET", pattern: "/api/v1/symbols", name: "listDebugFiles",
      summary: "Stored debug files.", tag: "symbols", scope: .symbols,
      responses: [listed("DebugFile")]),
    upload("PUT", "putDebugFile"), upload("POST", "postDebugFile"),
    APIOperation(
      method: "GET", pattern: "/api/v1/symbols/:id", name: "showDebugFile",
      summary: "Everything known of the debug files with an id, one after the other.",
      tag: "symbols", scope: .symbols,
      query: [asked("arch", .text(), "Only this architecture.")],
      responses: [listed("DebugFileFacts")], refusals: [.notFound, .unprocessableContent]),
    APIOperation(
      method: "GET", pattern: "/api/v1/symbols/missing", name: "listMissingImages",
      summary: "Images that lack debug files.", tag: "symbols", scope: .symbols,
      query: [
        narrowing, ofApp,
        asked("limit", .integer(1...APILimits.list.most), "The most images; else all."),
      ],
      responses: [
        .json(
          .ok, "Those that explain most first.",
          .object([
            .always("items", .list(.named("MissingImage"))),
            .always("total", .count, "How many there are."),
          ]))
      ], refusals: [.notFound]),
    APIOperation(
      method: "POST", pattern: "/api/v1/symbols/known", name: "knownDebugFiles",
      summary: "Which debug files the server already has.", tag: "symbols", scope: .symbols,
      input: .json(known), responses: [.json(.ok, "Those that are.", knownAnswer)]),
  ]

  private static let uploads: [APIOperation] = [
    APIOperation(
      method: "POST", pattern: "/api/v1/uploads", name: "beginUpload",
      summary: "Begin the upload of a large file in parts, or continue it.",
      tag: "uploads", scope: .ingest,
      input: .json([
        .always("size", .integer(1...APILimits.symbols.bytes)), .always("sha256", .digest),
        .always("kind", .choice(["symbols", "report"])), .maybe("name", .text()),
        .maybe("app", .text()), .maybe("version", .text(), "Needs app."),
      ]),
      responses: [.json(.created, "What to send.", .named("Upload"))], refusals: [.conflict]),
    APIOperation(
      method: "PUT", pattern: "/api/v1/uploads/:id/:part", name: "putPart",
      summary: "A part, counted from 0.", tag: "uploads", scope: .ingest,
      query: [asked("sha256", .digest, "Of the part.", isRequired: true)],
      input: Input(contents: [("application/octet-stream", .bytes)], isRequired: true),
      responses: [.empty(.noContent, "It is there.")], refusals: [.unprocessableContent]),
    APIOperation(
      method: "POST", pattern: "/api/v1/uploads/:id/finish", name: "finishUpload",
      summary: "Store a file uploaded in parts; getUpload returns the outcome.", tag: "uploads",
      scope: .ingest,
      responses: [.json(.accepted, "It is stored from here on.", .named("UploadState"))],
      refusals: [.conflict]),
    APIOperation(
      method: "GET", pattern: "/api/v1/uploads/:id", name: "getUpload",
      summary: "The progress of an upload, and finally its outcome.", tag: "uploads",
      scope: .ingest, responses: [.json(.ok, "Its state.", .named("UploadState"))],
      refusals: [.notFound]),
  ]

  // MARK: Figures, tokens, the server

  private static let figures: [APIOperation] = [
    APIOperation(
      method: "GET", pattern: "/api/v1/stats", name: "getStats", summary: "How much is stored.",
      tag: "figures", scope: .read, query: [ofApp],
      responses: [.json(.ok, "As `mayday stats --json`.", .named("Stats"))],
      refusals: [.notFound]),
    APIOperation(
      method: "GET", pattern: "/api/v1/ledger", name: "getLedger",
      summary: "The outcome of everything received, freshly counted.", tag: "figures",
      scope: .read, query: [ofApp],
      responses: [.json(.ok, "As `mayday stats --ledger --json`.", .named("Ledger"))],
      refusals: [.notFound]),
    APIOperation(
      method: "GET", pattern: "/api/v1/sessions", name: "getSessions",
      summary: "How many sessions and users went without a crash.", tag: "figures",
      scope: .read,
      query: [
        ofApp, asked("from", .day, "The first day."), asked("to", .day, "The last day."),
        asked("version", .text(), "Only this version."),
      ],
      responses: [
        .json(.ok, "As `mayday stats --crash-free --json`.", .list(.named("Sessions")))
      ], refusals: [.notFound]),
  ]

  private static let tokens: [APIOperation] = [
    APIOperation(
      method: "GET", pattern: "/api/v1/tokens", name: "listTokens", summary: "Tokens.",
      tag: "tokens", scope: .admin, responses: [listed("Token")]),
    APIOperation(
      method: "POST", pattern: "/api/v1/tokens", name: "makeToken", summary: "Make a token.",
      tag: "tokens", scope: .admin,
      input: .json([
        .always("label", .text(atLeast: 1)), .always("scopes", .list(.scopes, atLeast: 1)),
        .maybe("app", .text(), "The one app that it is good for."),
        .maybe("for", .length, "How long it is good: 90d, 12h, 2w."),
      ]), responses: [.json(.created, "The token.", .named("NewToken"))]),
    APIOperation(
      method: "DELETE", pattern: "/api/v1/tokens/:id", name: "revokeToken",
      summary: "Revoke a token.", tag: "tokens", scope: .admin,
      responses: [.empty(.noContent, "It is good for nothing, after five seconds at most.")]),
    APIOperation(
      method: "GET", pattern: "/api/v1/audit", name: "listAudit",
      summary: "What was done with tokens, the newest first.", tag: "tokens", scope: .admin,
      responses: [listed("AuditEntry")]),
  ]

  private static let server: [APIOperation] = [
    APIOperation(
      method: "GET", pattern: "/api/v1/openapi.json", name: "getDescription",
      summary: "This document.", tag: "server",
      responses: [
        .json(.ok, "OpenAPI 3.1.", .object([.always("openapi", .text())]))
      ]),
    APIOperation(
      method: "GET", pattern: "/healthz", name: "getHealth", summary: "That the server runs.",
      tag: "server", responses: [.text(.ok, "It does.")]),
    APIOperation(
      method: "GET", pattern: "/readyz", name: "getReadiness",
      summary: "Whether a report would be accepted.", tag: "server",
      responses: [.text(.ok, "It would.")]),
    APIOperation(
      method: "GET", pattern: "/metrics", name: "getMetrics", summary: "For Prometheus.",
      tag: "server", scope: .read, responses: [.text(.ok, "Its text format.")]),
  ]
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
