internal import CrashStore
package import Documents
internal import CrashService
internal import CrashModel
internal import HTTP
internal import Query
internal import ServerStore

/// What the API's responses are made of.
///
/// Answers are open: a later version may add members. What programs send is closed.
extension APISchema {
  package static let components: [(name: String, schema: APISchema)] =
    ([
      ("Problem", problem), ("Report", report), ("Thread", thread), ("Frame", frame),
      ("Image", image), ("Exception", exception), ("Signature", signature),
      ("UploadState", uploadState),
    ]
    + documents.closed.map { ($0.name, $0.schema) }).sorted { $0.name < $1.name }

  /// The documents that operations name; what these are made of follows.
  private static let documents = [
    AppRecord.declaration.component, ReleaseRecord.declaration.component,
    QueryField.declaration.component,
    GroupSummary.declaration.component, GroupOverview.declaration.component,
    DecidedGroups.declaration.component, GroupKey.declaration.component,
    ReportSummary.declaration.component, ReportVersions.declaration.component,
    ReportPlace.declaration.component, TrendPoint.declaration.component,
    CrashFreePeriod.declaration.component,
    Histogram.declaration.component,
    DebugFileRecord.declaration.component, ShownDebugFile.declaration.component,
    DebugFileVerdict.declaration.component, MissingImage.declaration.component,
    Token.declaration.component, NewToken.declaration.component,
    AuditLog.Entry.declaration.component,
    StoreStatistics.declaration.component, Ledger.declaration.component,
    AppCrashFree.declaration.component, UploadDocument.declaration.component,
    QuarantinedSubmission.declaration.component, SubmissionDocument.declaration.component,
    ErasureDocument.declaration.component,
  ]

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
    .always("code", .choice(ProblemCode.allCases.map(\.rawValue)), "The kind of problem."),
    .maybe("detail", .text(), "A description of the problem."),
    .maybe("parameter", .text(), "The parameter of the query that is wrong."),
    .maybe("member", .text(), "The member of the body that is wrong."),
    .maybe("position", .count, "Where it is wrong, in characters (code points) from 0."),
  ])

  private static let reportKind = APISchema.choice(ReportKind.allCases.map(\.rawValue))

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
}
