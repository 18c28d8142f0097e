internal import APIDocuments
internal import CrashService
internal import CrashModel
internal import CrashStore
package import HTTP
internal import JSON
internal import ServerStore

/// `GET /api/v1/submissions/:id`: what became of what was handed in.
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
    return try .document { try write(status, to: &$0) }
  }

  private func write(_ status: SubmissionStatus, to writer: inout JSONWriter) throws {
    writer.beginObject()
    writer.member("id", status.id)
    writer.member("status", status.outcome.word)
    writer.member("received", status.received.description)
    writer.member("app", status.app)
    var verdict = SubmissionVerdict()
    switch status.outcome {
    case .waiting: break
    case .stored(let found, let isNew):
      verdict = found
      writer.member("duplicate", !isNew)
    case .quarantined(let problem), .discarded(let problem): writer.member("problem", problem)
    }
    writer.key("reports")
    writer.beginArray()
    for part in verdict.stored {
      for report in try context.store.reports(ofSubmission: part.digest, app: part.app) {
        writer.beginObject()
        writer.member("id", report.report)
        writer.member("app", part.app)
        writer.member("group", report.group)
        writer.endObject()
      }
    }
    writer.endArray()
    writer.key("refused")
    writer.beginArray()
    for part in verdict.refused {
      writer.beginObject()
      writer.member("file", part.file)
      writer.member("reason", part.reason)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
  }

  package init(context: ServerContext) {
    self.context = context
  }
}
