internal import CrashService
internal import CrashModel
internal import HTTP
internal import Query
internal import ServerStore

/// What the API's responses are made of.
///
/// Answers are open: a later version may add members. What programs send is closed.
extension APISchema {
  package static let components: [(name: String, schema: APISchema)] = [
    ("Problem", problem), ("App", app), ("Release", release), ("Field", field),
    ("GroupSummary", .object(group)), ("Group", .object(group + groupPage)),
    ("GroupEvent", event), ("GroupKey", key), ("ReportSummary", reportSummary),
    ("Report", report), ("Thread", thread), ("Frame", frame), ("Image", image),
    ("Exception", exception), ("Signature", signature), ("DebugFile", debugFile),
    ("DebugFileFacts", .debugFileFacts),
    ("DebugFileVerdict", verdict), ("MissingImage", missingImage), ("Token", .object(token)),
    ("NewToken", .object([.always("token", .text(), "Shown this once.")] + token)),
    ("AuditEntry", audit), ("Stats", stats), ("Ledger", ledger), ("LedgerTotal", ledgerTotal),
    ("Amount", amount), ("Sessions", sessions), ("Rate", rate), ("Upload", upload),
    ("UploadState", uploadState),
    ("Quarantined", quarantined), ("Submission", submission),
  ]

  private static let submission = APISchema.object([
    .always("id", .text()), .always("status", .choice(SubmissionStatus.Outcome.words)),
    .always("received", .time), .maybe("app", .text(), "The app that it was handed in for."),
    .maybe("duplicate", .flag, "Whether all of it was known before; for stored submissions."),
    .maybe("problem", .text(), "Why it is quarantined."),
    .always(
      "reports",
      .list(
        .object([
          .always("id", .text()), .always("app", .text()), .always("group", .text()),
        ])), "Its reports that are still stored, with their present groups."),
    .always(
      "refused",
      .list(.object([.always("file", .text()), .always("reason", .text())])),
      "Files of an archive that contain no report."),
  ])

  private static let quarantined = APISchema.object([
    .always("id", .count), .always("route", .text()), .always("received", .time),
    .always("size", .count), .always("attempts", .count),
    .always("problem", .text(), "Why it could not be processed."),
    .always("facts", .map(.text()), "Notes on it."),
  ])

  package static let scopes = APISchema.choice(TokenScope.allCases.map(\.rawValue))

  /// A part of a list, with the cursor of the next.
  package static func page(_ element: String) -> APISchema {
    .object([
      .always("items", .list(.named(element))),
      .always("total", .count, "How many there are in all parts together."),
      .maybe("next", .text(), "What the next part is asked for with, as after; absent at the end."),
    ])
  }

  private static let problem = APISchema.object([
    .always("type", .text(format: "uri-reference")), .always("title", .text()),
    .always("status", .integer(400...599)),
    .maybe("detail", .text(), "A description of the problem."),
  ])

  private static let app = APISchema.object([
    .always("name", .text()), .always("prefix", .text(), "Of the names of its groups."),
    .always("intake_key", .text(), "May be compiled into the app; can only hand in reports."),
    .always("app_secrets", .list(.text()), "Of App Center's SDKs, their first characters."),
    .always(
      "keep",
      .object([
        .maybe("days", .count), .maybe("bytes", .count), .maybe("per_group", .count),
      ])),
  ])

  private static let release = APISchema.object([
    .always("app", .text()), .always("version", .text()), .maybe("build", .text()),
    .always("place", .choice(["set", "by number"])), .always("reports", .count),
    .always("added", .time), .maybe("first_seen", .time), .maybe("last_seen", .time),
  ])

  private static let field = APISchema.object([
    .always("name", .text()), .always("aliases", .list(.text())),
    .always("of", .choice(["report", "group"])), .always("kind", .text()),
    .always("meaning", .text()), .always("example", .text()), .always("choices", .list(.text())),
  ])

  private static let reportKind = APISchema.choice(["crash", "handled", "hang", "oom", "other"])

  private static let group: [APIMember] = [
    .always("id", .text(), "TERN-12"), .always("app", .text()), .always("signature", .text()),
    .always("hash", .text()), .always("category", .text()),
    .always("rules", .text(), "The version of the grouping rules."),
    .always("provisional", .flag, "Whether debug files are missing that could change it."),
    .maybe("reason", .text()), .always("kind", reportKind),
    .always("state", .choice(GroupState.allCases.map(\.rawValue))), .maybe("state_since", .time),
    .maybe("state_by", .text()),
    .maybe(
      "fixed",
      .object([
        .always("how", .choice(["in", "after", "next", "time"])), .maybe("version", .text()),
        .maybe("build", .text()),
      ])),
    .maybe(
      "ignored_until",
      .object([.maybe("reports", .count), .maybe("users", .count), .maybe("time", .time)])),
    .maybe("assignee", .text()), .maybe("merged", .list(.text())), .always("reports", .count),
    .maybe("installs", .count), .maybe("first_seen", .time), .maybe("last_seen", .time),
    .always(
      "versions",
      .list(.object([.always("version", .text()), .always("reports", .count)]))),
    .always("exemplar", .text(), "The exemplar; empty if all reports were removed."),
  ]

  private static let groupPage: [APIMember] = [
    .maybe("breakdown", breakdown), .maybe("recent", .list(.named("ReportSummary"))),
    .always("history", .list(.named("GroupEvent"))), .maybe("report", .named("Report")),
  ]

  private static let breakdown: APISchema = {
    let share = APISchema.object([.always("name", .text()), .always("reports", .count)])
    let ranking = APISchema.object([
      .always("top", .list(share)), .always("others", .count),
      .always("reports_of_others", .count),
    ])
    let version = APISchema.object([
      .always("version", .text()), .always("reports", .count), .always("first_day", .day),
      .always("last_day", .day),
    ])
    let day = APISchema.object([.always("day", .day), .always("reports", .count)])
    return .object([
      .always("reports_of_app", .count), .always("versions", .list(version)),
      .always("systems", ranking), .always("devices", ranking), .always("days", .list(day)),
    ])
  }()

  private static let event = APISchema.object([
    .always("number", .count), .always("group", .text()), .always("time", .time),
    .always("author", .text()), .always("event", .text()), .always("detail", .text()),
    .maybe("undone", .count, "The line that undid it."),
    .always("can_undo", .flag, "Whether a person did it, so that it can be undone."),
  ])

  private static let key = APISchema.object([
    .always("key", .text()), .always("signature", .text()), .always("reports", .count),
    .always("versions", .list(.text())),
  ])

  private static let reportSummary = APISchema.object([
    .always("id", .text()), .always("group", .text()), .always("app", .text()),
    .always("format", .text()), .always("kind", reportKind), .always("time", .time),
    .always("received", .time), .maybe("version", .text()), .maybe("build", .text()),
    .maybe("os", .text()), .maybe("device", .text()), .maybe("reason", .text()),
    .always("signature", .text()), .always("symbols", .choice(["missing", "partial", "full"])),
    .always("source", .text()),
  ])

  // MARK: Reports

  private static let report = APISchema.object([
    .always("schema", .integer(1...1)), .always("id", .text()), .always("format", .text()),
    .maybe("kind", reportKind), .maybe("incident", .text()),
    .maybe("group", .text(), "Its group."),
    .maybe("store_app", .text(), "The app that the store has it under."),
    .maybe(
      "app",
      .object([
        .maybe("name", .text()), .maybe("identifier", .text()), .maybe("version", .text()),
        .maybe("build", .text()),
      ])), .maybe("time", .time), .maybe("received", .time), .maybe("install", .text()),
    .maybe("user", .text()),
    .maybe(
      "os",
      .object([.maybe("name", .text()), .maybe("version", .text()), .maybe("build", .text())])),
    .maybe("device", .object([.maybe("model", .text()), .maybe("arch", .text())])),
    .maybe(
      "process",
      .object([
        .maybe("name", .text()), .maybe("pid", .integer()), .maybe("path", .text()),
        .maybe("uptime", .number, "Seconds."),
      ])),
    .maybe(
      "reason",
      .object([
        .maybe("type", .text()), .maybe("signal", .text()), .maybe("code", .text()),
        .maybe("address", .address), .maybe("message", .text()),
        .maybe("exception", .named("Exception")),
      ])),
    .maybe(
      "crashed_thread", .count, "The thread that the report is about: a position in threads."),
    .maybe("threads", .list(.named("Thread"))), .maybe("images", .list(.named("Image"))),
    .maybe("attachments", .list(attachment)),
    .maybe(
      "breadcrumbs",
      .list(
        .object([
          .always("time", .time), .always("name", .text()), .maybe("properties", .map(.text())),
        ]))),
    .maybe(
      "other_stacks",
      .list(.object([.always("title", .text()), .always("frames", .list(.named("Frame")))]))),
    .maybe("tags", .map(.text()), "Other facts from the report."),
    .maybe("properties", .map(.text()), "Custom properties set by the app."),
    .maybe("signature", .named("Signature")),
    .maybe(
      "engine",
      .object([
        .always("version", .text()), .maybe("symbol_cache", .count),
        .maybe("rules_digest", .text()),
        .maybe("scrub_rules", .text(), "What took secrets out of it."),
        .always("debug_files", .map(.text())),
      ])), .maybe("notes", .list(.text())),
  ])

  private static let attachment = APISchema.object([
    .always("name", .text()), .maybe("content_type", .text()), .maybe("size", .count),
    .maybe("digest", .text()),
  ])

  private static let thread = APISchema.object([
    .always("index", .count), .maybe("id", .integer()), .maybe("name", .text()),
    .always("crashed", .flag, "Whether the report is about this thread: it crashed, or hung."),
    .maybe("registers", .map(.address)),
    .always("frames", .list(.named("Frame"))),
  ])

  private static let frame = APISchema.object([
    .always("index", .count), .maybe("address", .address),
    .maybe("position", .choice(["exact", "return", "adjusted"])),
    .maybe("image", .count, "A position in images."), .maybe("image_offset", .address),
    .maybe("function", .text()), .maybe("symbol", .text()), .maybe("symbol_offset", .count),
    .maybe("file", .text()), .maybe("line", .count), .maybe("column", .count),
    .maybe("source", .object([.always("first", .count), .always("lines", .list(.text()))])),
    .always("inlined", .flag),
    .maybe("in_app", .flag, "Whether it is the app's own code; absent if unknown."),
    .always("trust", .text()),
  ])

  private static let image = APISchema.object([
    .always("index", .count), .always("name", .text()), .maybe("path", .text()),
    .maybe("arch", .text()), .maybe("debug_id", .text()), .maybe("code_id", .text()),
    .maybe("base", .address), .maybe("size", .count), .maybe("version", .text()),
    .maybe(
      "symbols",
      .object([
        .always("status", .text()), .maybe("file", .text()), .maybe("match", .text()),
        .maybe("debug_id", .text()),
        .always(
          "tried",
          .list(
            .object([
              .always("file", .text()), .always("verdict", .text()), .maybe("debug_id", .text()),
              .maybe("arch", .text()), .maybe("detail", .text()),
            ]))),
      ])),
  ])

  private static let exception = APISchema.object([
    .maybe("type", .text()), .maybe("message", .text()),
    .always("frames", .list(.named("Frame"))), .always("inner", .list(.named("Exception"))),
  ])

  private static let signature = APISchema.object([
    .always("text", .text()), .always("hash", .text()), .maybe("alternatives", .list(.text())),
    .always("category", .text()), .always("rules", .text()), .always("provisional", .flag),
    .maybe("waits_for", .list(.text()), "Debug ids."),
    .always(
      "steps",
      .list(
        .object([
          .maybe("frame", .count), .maybe("subject", .text()), .maybe("result", .text()),
          .maybe("class", .text()), .maybe("rule", .text()), .always("used", .flag),
          .maybe("left_out", .text()),
        ]))),
  ])

  // MARK: Debug files

  private static let debugFile = APISchema.object([
    .always("debug_id", .text()), .maybe("code_id", .text()), .always("name", .text()),
    .always("arch", .text()), .always("kind", .text()), .always("size", .count),
    .always("digest", .text()), .always("added", .time),
  ])

  private static let verdict = APISchema.object([
    .always("file", .text()), .maybe("arch", .text()), .maybe("debug_id", .text()),
    .maybe("kind", .text()), .always("verdict", .choice(["added", "known", "refused"])),
    .maybe("reason", .text()),
  ])

  private static let missingImage = APISchema.object([
    .maybe("debug_id", .text()), .maybe("code_id", .text()), .maybe("name", .text()),
    .maybe("path", .text()), .maybe("arch", .text()), .always("own", .flag),
    .always("reports", .count), .always("groups", .count),
    .always("provisional_groups", .count), .always("has_debug_file", .flag),
    .always(
      "builds",
      .list(
        .object([
          .always("app", .text()), .always("version", .text()), .always("build", .text()),
        ]))),
    .always(
      "systems",
      .list(
        .object([
          .maybe("name", .text()), .maybe("version", .text()), .maybe("build", .text()),
          .maybe("model", .text()),
        ]))),
    .always(
      "advice",
      .object([
        .always("kind", .text()), .always("text", .text()), .always("commands", .list(.text())),
        .maybe("path", .text()), .maybe("package", .text()), .always("folders", .list(.text())),
      ])),
  ])

  private static let upload = APISchema.object([
    .always("id", .text()), .always("chunk_size", .count, "Bytes of each part but the last."),
    .always("have", .list(.count), "Parts the server already has."),
  ])

  private static let uploadState = APISchema.object([
    .always("id", .text()),
    .always(
      "state", .choice(["receiving", "processing", "done", "failed"]),
      "The last two have an outcome, kept for a day."),
    .always("have", .list(.count), "Parts that are there."),
    .maybe("status", .integer(), "The outcome, as if the file had been sent in one request."),
    .maybe(
      "verdict", .object([]),
      "As the answer of `PUT /api/v1/symbols` or `POST /api/v1/reports`, or a problem document."),
  ])

  // MARK: Tokens and figures

  private static let token: [APIMember] = [
    .always("id", .text()), .always("label", .text()), .always("scopes", .list(scopes)),
    .maybe("app", .text(), "The one app that it is good for."), .always("created", .time),
    .maybe("expires", .time), .maybe("revoked", .time), .maybe("used", .time),
  ]

  private static let audit = APISchema.object([
    .always("time", .time), .always("token", .text()), .always("label", .text()),
    .always("action", .text()), .always("subject", .text()), .always("peer", .text()),
  ])

  private static let amount = APISchema.object([
    .always("count", .count), .always("bytes", .count),
  ])

  private static let stats = APISchema.object([
    .always("schema", .integer(1...1)),
    .always(
      "apps",
      .list(
        .object([
          .always("app", .text()), .always("groups", .count), .always("reports", .count),
          .always("reports_kept", .count), .always("submissions", .count),
          .always("bytes", .count), .always("refused", .count),
        ]))), .always("refused_without_app", .count), .maybe("debug_files", .named("Amount")),
    .maybe(
      "disk",
      .object([
        .always("database", .count), .always("contents", .count),
        .always("debug_files", .count), .always("caches", .count), .always("total", .count),
      ])),
  ])

  private static let ledgerTotal: APISchema = {
    let part = APISchema.object([
      .always("reason", .text()), .always("count", .count), .always("bytes", .count),
    ])
    return .object([
      .always("count", .count), .always("bytes", .count), .always("reasons", .list(part)),
    ])
  }()

  private static let ledger: APISchema = {
    let reason = APISchema.object([.always("reason", .text()), .always("count", .count)])
    let submissions = APISchema.object([
      .always("received", .named("Amount")), .always("stored", .named("Amount")),
      .always("duplicates", .named("LedgerTotal")), .always("refused", .named("LedgerTotal")),
      .always("kept", .named("Amount")), .always("expired", .named("LedgerTotal")),
      .always("removed", .named("Amount")),
    ])
    let reports = APISchema.object([
      .always("stored", .count), .always("kept", .count),
      .always(
        "expired", .object([.always("count", .count), .always("reasons", .list(reason))])),
      .always("removed", .count),
    ])
    let account = APISchema.object([
      .maybe("app", .text()), .always("submissions", submissions), .always("reports", reports),
    ])
    let fault = APISchema.object([
      .maybe("app", .text()), .always("what", .text()), .always("ledger", .integer()),
      .always("counted", .integer()),
    ])
    return .object([
      .always("schema", .integer(1...1)), .always("apps", .list(account)),
      .always("disagreements", .list(fault)),
    ])
  }()

  private static let rate = APISchema.object([
    .always("all", .count), .always("crashed", .count),
    .maybe("crash_free", .number, "0 to 1; absent where there was nothing to count."),
  ])

  private static let sessions = APISchema.object([
    .always("app", .text()), .always("formula", .text()), .always("sessions", .named("Rate")),
    .always("users", .named("Rate")), .always("crashes", .count),
  ])
}
