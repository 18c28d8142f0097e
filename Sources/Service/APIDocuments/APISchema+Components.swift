internal import CrashModel
internal import CrashService
internal import CrashStore
package import Documents
internal import HTTP
internal import Query
internal import ReportDocument
internal import ReportFormats
internal import ServerStore
internal import TriageModel
internal import Updates

/// The schemas of the API's responses.
///
/// Responses are open: a later version may add members. Requests are closed.
extension APISchema {
  package static let components: [(name: String, schema: APISchema)] =
    ([("Problem", problem), ("UploadState", uploadState)]
    + documents.closed.map { ($0.name, $0.schema) }).sorted { $0.name < $1.name }

  /// The documents that operations name, followed by their components.
  private static let documents =
    CrashReport.documentComponents(
      formats: FormatRegistry.builtIn.formats.map(\.format.description)) + [
      AppRecord.declaration.component, ReleaseRecord.declaration.component,
      ReleaseFigures.declaration.component, AppRegressions.declaration.component,
      Correlations.declaration.component, ReleaseRollout.declaration.component,
      PublishedConfiguration.declaration.component,
      AppUpdateSettings.declaration.component,
      RemoteConfiguration.Alert.declaration.component,
      QueryField.declaration.component, KnownFormat.declaration.component,
      FormatDescription.Fact.declaration.component,
      GroupSummary.declaration.component, GroupOverview.declaration.component,
      DecidedGroups.declaration.component, GroupKey.declaration.component,
      GroupVariants.declaration.component, GroupVariant.declaration.component,
      RelatedGroup.declaration.component,
      ReportSummary.declaration.component, ReportVersions.declaration.component,
      ReportGroup.declaration.component, TrendPoint.declaration.component,
      CrashFreePeriod.declaration.component, Histogram.declaration.component,
      DebugFileRecord.declaration.component, ShownDebugFile.declaration.component,
      DebugFileVerdict.declaration.component, MissingImage.declaration.component,
      Token.declaration.component, NewToken.declaration.component,
      CommandSignIn.declaration.component, CommandToken.declaration.component,
      AccountRecord.declaration.component, NewAccount.declaration.component,
      SignInLink.declaration.component, AlertRule.declaration.component,
      AlertTargetSummary.declaration.component, StoredAlertTarget.declaration.component,
      AlertTest.declaration.component, AlertDelivery.declaration.component,
      AuditLog.Entry.declaration.component,
      StoreStatistics.declaration.component, Ledger.declaration.component,
      AppCrashFree.declaration.component, UploadDocument.declaration.component,
      QuarantinedSubmission.declaration.component, SubmissionDocument.declaration.component,
      SubmissionDocument.KnownFix.declaration.component,
      ErasureDocument.declaration.component,
      Artefact.declaration.component, DistributionGroup.declaration.component,
      Tester.declaration.component, InvitedTester.declaration.component,
      TesterMail.declaration.component,
      ReleaseWarning.declaration.component,
      DistributionEvent.declaration.component, CheckExplanation.declaration.component,
    ]

  package static let scopes = APISchema.choice(TokenScope.allCases.map(\.rawValue))

  /// A page of a list, with the cursor of the next page.
  ///
  /// - Parameter hasPrevious: Whether it has that of the previous page, too.
  package static func page(of element: APISchema, hasPrevious: Bool = false) -> APISchema {
    let previous = APIMember.maybe(
      "previous", .text(), "The `before` value for the previous page; absent on the first.")
    return .object(
      [
        .always("items", .list(element)),
        .always("total", .count, "The number of items on all pages together."),
        .maybe("next", .text(), "The `after` value for the next page; absent on the last."),
      ] + (hasPrevious ? [previous] : []))
  }

  private static let problem = APISchema.object([
    .always("type", .text(format: "uri-reference")), .always("title", .text()),
    .always("status", .integer(400...599)),
    .always("code", .choice(ProblemCode.allCases.map(\.rawValue)), "The kind of problem."),
    .maybe("detail", .text(), "A description of the problem."),
    .maybe("parameter", .text(), "The invalid query parameter."),
    .maybe("member", .text(), "The invalid member of the body."),
    .maybe("position", .count, "The position of the error, in characters (code points) from 0."),
  ])

  private static let uploadState = APISchema.object([
    .always("id", .text()),
    .always(
      "state", .choice(["receiving", "processing", "done", "failed"]),
      "The last two states have an outcome, kept for a day."),
    .always("have", .list(.count), "Parts that have arrived."),
    .maybe("status", .integer(), "The outcome, as if the file had been sent in one request."),
    .maybe(
      "verdict", .object([]),
      "The response of `PUT /api/v1/symbols` or `POST /api/v1/reports`, or a problem document."),
  ])
}
