internal import APIDocuments
internal import Documents
internal import HTTP
import ServerCore

/// Routes for reports: submission, lists, and single reports.
enum ReportRoutes {
  static let all: [APIRoute] = [
    APIRoute(
      .listReports, "Reports, newest first.", tag: "reports", access: .read,
      returns: .page("ReportSummary", hasPrevious: true)
    ) { try ListsEndpoint(context: $1).reports($0) },
    APIRoute(
      .submitReport,
      "Submit a report of any format, an archive of reports, or one with attachments.",
      tag: "reports", access: .submissions, rate: .submission,
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
            "wants", .list(.choice([SubmissionDocument.dump])),
            "The offered data that the group lacks."),
        ])), refusals: [.conflict]
    ) { try IntakeEndpoint(context: $1).submit($0) },
    APIRoute(
      .getSubmissionStatus, "The outcome of a submission, kept for a week.", tag: "reports",
      access: .submissions,
      returns: .json(.ok, "The state of the submission.", .named("Submission"))
    ) { try SubmissionsEndpoint(context: $1).show($0) },
    GroupRoutes.counts(of: "reports", .countReports) {
      try ListsEndpoint(context: $1).counts($0, ofGroups: false)
    },
    APIRoute(
      .getTrend, "Reports per day, week or month.", tag: "reports", access: .read,
      returns: .trend("Every period from the first to the last day.", GroupRoutes.period)
    ) { try TrendsEndpoint(context: $1).reports($0) },
    APIRoute(
      .knownReports, "Which submissions the server already has.", tag: "reports", access: .ingest,
      returns: known
    ) { try KnownEndpoint(context: $1).reports($0) },
    APIRoute(
      .getReport, "A report.", tag: "reports", access: .read,
      returns: .json(.ok, "Output of `mayday show --json`.", .named("Report")),
      refusals: [.conflict]
    ) { try ListsEndpoint(context: $1).report($0) },
    APIRoute(
      .deleteReport,
      "Delete a report with everything made from it; the same bytes are refused later.",
      tag: "reports", access: .admin, returns: .empty(.noContent, "Deleted."), refusals: [.conflict]
    ) { try RemovalEndpoint(context: $1).report($0) },
    APIRoute(
      .getPlace, "How a report got into its group.", tag: "reports", access: .read,
      returns: .json(
        .ok, "The group, as in `mayday explain`.", .named("ReportGroup")), refusals: [.conflict]
    ) { try ListsEndpoint(context: $1).membership($0) },
    APIRoute(
      .listGroupsLikeReport, "Other groups with stacks similar to a report's, most similar first.",
      tag: "reports", access: .read, returns: .list("RelatedGroup"), refusals: [.conflict]
    ) { try ListsEndpoint(context: $1).relatedToReport($0) },
    APIRoute(
      .listVersions, "Versions of a report from before it was reprocessed.", tag: "reports",
      access: .read,
      returns: .json(
        .ok, "Oldest first.", .named("ReportVersions")), refusals: [.conflict]
    ) { try ListsEndpoint(context: $1).versions($0) },
    APIRoute(
      .getVersion, "A former version of a report.",
      tag: "reports", access: .read, returns: .json(.ok, "The report.", .named("Report")),
      refusals: [.conflict]
    ) { try ListsEndpoint(context: $1).version($0) },
    APIRoute(
      .getArchive, "All data of a report in one zip file.", tag: "reports", access: .read,
      returns: APIRoute.Answer(
        status: .ok, meaning: "The archive.", content: ("application/zip", .bytes)),
      refusals: [.conflict]
    ) { try ListsEndpoint(context: $1).archive($0) },
    APIRoute(
      .getSubmission, "The original bytes.", tag: "reports",
      access: .read, returns: .bytes(.ok, "The bytes."), refusals: [.conflict]
    ) { try ListsEndpoint(context: $1).raw($0) },
    APIRoute(
      .getAttachment, "A report's attachment.", tag: "reports", access: .read,
      returns: .bytes(.ok, "The bytes."), refusals: [.conflict]
    ) { try ListsEndpoint(context: $1).attachment($0) },
  ]

  static let known = APIRoute.Answer.json(
    .ok, "The digests of known submissions.", .object([.always("known", .list(.digest))]))
}
