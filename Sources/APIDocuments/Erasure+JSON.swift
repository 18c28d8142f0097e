internal import CrashStore
package import CrashService
package import JSON

extension JSONWriter {
  package mutating func write(_ result: Erasure.Result, isDry: Bool) {
    beginObject()
    member("dry_run", isDry)
    member("reports", result.stored.reports)
    member("submissions", result.stored.submissions)
    member("bytes", result.stored.bytes)
    member("attachments", result.stored.attachments)
    member("sessions", result.stored.sessions)
    member("events", result.stored.events)
    member("client_reports", result.stored.clientReports)
    member("waiting_attachments", result.stored.orphans)
    member("queued", result.queued)
    member("pending", result.pending)
    member("groups", result.stored.groups)
    endObject()
  }
}
