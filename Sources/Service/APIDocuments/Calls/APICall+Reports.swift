internal import CrashService
internal import Documents

/// Calls about reports.
extension APICall {
  package static let listReports = APICall(
    "listReports", "GET", "/api/v1/reports", query: .paging(ReportOrder.allCases.map(\.rawValue)))
  package static let submitReport = APICall(
    "submitReport", "POST", "/api/v1/reports",
    query: [
      .asked("app", .text(atLeast: 1), "The app of the report, unless it names one."),
      .asked("name", .text(), "The name of the file."),
      .asked(
        "wait", .integer(1...APILimits.longestWait),
        "Seconds to wait for a known fix; also as Prefer: wait=N."),
      .asked(
        "offers", .choice([SubmissionDocument.dump]),
        "Data that the client offers to send; with wait."),
    ])
  package static let getSubmissionStatus = APICall(
    "getSubmissionStatus", "GET", "/api/v1/submissions/:id")
  package static let countReports = counts("countReports", of: "reports")
  package static let getTrend = APICall(
    "getTrend", "GET", "/api/v1/reports/trend", query: [.narrowing] + .trend())
  package static let knownReports = APICall(
    "knownReports", "POST", "/api/v1/reports/known", body: KnownReports.declaration)
  package static let getReport = APICall(
    "getReport", "GET", "/api/v1/reports/:id", query: [.sources])
  package static let deleteReport = APICall("deleteReport", "DELETE", "/api/v1/reports/:id")
  package static let getPlace = APICall("getPlace", "GET", "/api/v1/reports/:id/place")
  package static let listGroupsLikeReport = APICall(
    "listGroupsLikeReport", "GET", "/api/v1/reports/:id/related")
  package static let listVersions = APICall(
    "listVersions", "GET", "/api/v1/reports/:id/versions")
  package static let getVersion = APICall(
    "getVersion", "GET", "/api/v1/reports/:id/versions/:number")
  package static let getArchive = APICall("getArchive", "GET", "/api/v1/reports/:id/archive")
  package static let getSubmission = APICall("getSubmission", "GET", "/api/v1/reports/:id/raw")
  package static let getAttachment = APICall(
    "getAttachment", "GET", "/api/v1/reports/:id/attachments/:name")
}
