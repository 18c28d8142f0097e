internal import APIDocuments
internal import CrashService
internal import CrashStore
internal import Documents
package import HTTP
package import ServerCore
internal import ServerStore

/// `GET /api/v1/submissions/:id`: the outcome of a submission.
package struct SubmissionsEndpoint {
  package let context: ServerContext

  package func show(_ request: Request) throws -> Response {
    let id = (request.parameters["id"] ?? "").lowercased()
    let caller = try context.access.caller(of: request.head, .ingest).get()
    guard let status = try context.queue.status(ofSubmission: id),
      caller.app == nil || caller.app == status.app
    else {
      return .problem(.notFound, "no submission with this id in the last week")
    }
    var reports: [SubmissionDocument.Report] = []
    if case .stored(let verdict, _) = status.outcome {
      for part in verdict.stored {
        reports += try context.store.reports.list(ofSubmission: part.digest, app: part.app).map {
          SubmissionDocument.Report(id: $0.report, app: part.app, group: $0.group)
        }
      }
    }
    let known = try KnownFixAnswers(context: context, head: request.head).fix(of: reports)
    let wants = try KnownFixAnswers.wants(reports, in: context.store)
    return .document {
      $0.write(SubmissionDocument(status: status, reports: reports, known: known, wants: wants))
    }
  }

  package init(context: ServerContext) {
    self.context = context
  }
}
