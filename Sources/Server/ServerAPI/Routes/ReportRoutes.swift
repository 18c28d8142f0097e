internal import APIDocuments
internal import CrashService
internal import CrashStore
internal import Documents
internal import HTTP
internal import Rendering
import ServerCore

/// Routes for reports: submission, lists, and single reports.
enum ReportRoutes {
  static let all: [APIRoute] = [
    APIRoute(
      "GET", "/api/v1/reports", "listReports", "Reports, newest first.", tag: "reports",
      access: .read, query: .paging(ReportOrder.allCases.map(\.rawValue)),
      returns: .page("ReportSummary")
    ) { try ListsEndpoint(context: $1).reports($0) },
    APIRoute(
      "POST", "/api/v1/reports", "submitReport",
      "Submit a report of any format, an archive of reports, or one with attachments.",
      tag: "reports", access: .submissions, rate: .submission,
      query: [
        .asked("app", .text(atLeast: 1), "The app of the report, unless it names one."),
        .asked("name", .text(), "The name of the file."),
        .asked(
          "wait", .integer(1...KnownFixAnswers.longestWait),
          "Seconds to wait for a known fix; also as Prefer: wait=N."),
        .asked(
          "offers", .choice([KnownFixAnswers.dump]),
          "Data that the client offers to send; with wait."),
      ],
      input: APIRoute.Input(
        contents: [
          ("application/octet-stream", .upload),
          (
            "multipart/form-data",
            .object(
              [.always("file", .upload), .maybe("attachment", .list(.upload))])
          ),
        ], isRequired: true,
        body: .form(
          MultipartLimits(body: APILimits.report), otherwise: .memory(limit: APILimits.report))),
      returns: .json(
        .accepted, "It is on disk and will be processed.",
        .object([
          .always("status", .choice(["accepted"])),
          .always("id", .text(), "The id for /submissions/{id}."),
          .always("bytes", .count),
          .maybe("known", .named("KnownFix"), "A release that fixes the crash."),
          .maybe(
            "wants", .list(.choice([KnownFixAnswers.dump])),
            "The offered data that the group lacks."),
        ])), refusals: [.conflict]
    ) { try IntakeEndpoint(context: $1).submit($0) },
    APIRoute(
      "GET", "/api/v1/submissions/:id", "getSubmissionStatus",
      "The outcome of a submission, kept for a week.", tag: "reports", access: .submissions,
      returns: .json(.ok, "The state of the submission.", .named("Submission"))
    ) { try SubmissionsEndpoint(context: $1).show($0) },
    GroupRoutes.counts(of: "reports", "countReports") {
      try ListsEndpoint(context: $1).counts($0, ofGroups: false)
    },
    APIRoute(
      "GET", "/api/v1/reports/trend", "getTrend", "Reports per day, week or month.",
      tag: "reports", access: .read, query: [.narrowing] + .trend(),
      returns: .trend("Every period from the first to the last day.", GroupRoutes.period)
    ) { try TrendsEndpoint(context: $1).reports($0) },
    APIRoute(
      "POST", "/api/v1/reports/known", "knownReports",
      "Which submissions the server already has.", tag: "reports", access: .ingest,
      input: .json([digests, .maybe("app", .text())]), returns: known
    ) { try KnownEndpoint(context: $1).reports($0) },
    APIRoute(
      "GET", "/api/v1/reports/:id", "getReport", "A report.", tag: "reports", access: .read,
      query: [.sources], returns: .json(.ok, "Output of `mayday show --json`.", .named("Report")),
      refusals: [.conflict]
    ) { try ListsEndpoint(context: $1).report($0) },
    APIRoute(
      "DELETE", "/api/v1/reports/:id", "deleteReport",
      "Delete a report with everything made from it; the same bytes are refused later.",
      tag: "reports", access: .admin, returns: .empty(.noContent, "Deleted."),
      refusals: [.conflict]
    ) { try RemovalEndpoint(context: $1).report($0) },
    APIRoute(
      "GET", "/api/v1/reports/:id/place", "getPlace", "How a report got into its group.",
      tag: "reports", access: .read,
      returns: .json(
        .ok, "The group, as in `mayday explain`.", .named("ReportGroup")), refusals: [.conflict]
    ) { try ListsEndpoint(context: $1).place($0) },
    APIRoute(
      "GET", "/api/v1/reports/:id/related", "listGroupsLikeReport",
      "Other groups with stacks similar to a report's, most similar first.",
      tag: "reports", access: .read, returns: .list("RelatedGroup"), refusals: [.conflict]
    ) { try ListsEndpoint(context: $1).relatedToReport($0) },
    APIRoute(
      "GET", "/api/v1/reports/:id/versions", "listVersions",
      "Versions of a report from before it was reprocessed.", tag: "reports", access: .read,
      returns: .json(
        .ok, "Oldest first.", .named("ReportVersions")), refusals: [.conflict]
    ) { try ListsEndpoint(context: $1).versions($0) },
    APIRoute(
      "GET", "/api/v1/reports/:id/versions/:number", "getVersion", "A former version of a report.",
      tag: "reports", access: .read, returns: .json(.ok, "The report.", .named("Report")),
      refusals: [.conflict]
    ) { try ListsEndpoint(context: $1).version($0) },
    APIRoute(
      "GET", "/api/v1/reports/:id/archive", "getArchive", "All data of a report in one zip file.",
      tag: "reports", access: .read,
      returns: APIRoute.Answer(
        status: .ok, meaning: "The archive.", content: ("application/zip", .bytes)),
      refusals: [.conflict]
    ) { try ListsEndpoint(context: $1).archive($0) },
    APIRoute(
      "GET", "/api/v1/reports/:id/raw", "getSubmission", "The original bytes.", tag: "reports",
      access: .read, returns: .bytes(.ok, "The bytes."), refusals: [.conflict]
    ) { try ListsEndpoint(context: $1).raw($0) },
    APIRoute(
      "GET", "/api/v1/reports/:id/attachments/:name", "getAttachment",
      "A report's attachment.", tag: "reports", access: .read,
      returns: .bytes(.ok, "The bytes."), refusals: [.conflict]
    ) { try ListsEndpoint(context: $1).attachment($0) },
  ]

  static let digests = APIMember.always(
    "digests", .list(.digest, atMost: APILimits.digests), "SHA-256 of each file.")

  static let known = APIRoute.Answer.json(
    .ok, "The digests of known submissions.", .object([.always("known", .list(.digest))]))
}
