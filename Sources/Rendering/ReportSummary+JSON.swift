internal import CrashService
internal import CrashModel
package import CrashStore
package import JSON

extension JSONWriter {
  package mutating func write(_ report: ReportSummary) {
    beginObject()
    member("id", report.id)
    member("group", report.group)
    member("app", report.app)
    member("format", report.format.description)
    member("kind", report.kind.rawValue)
    member("time", report.time.description)
    member("received", report.received.description)
    member("version", report.version)
    member("build", report.build)
    member("os", report.os)
    member("device", report.device)
    member("reason", report.reason)
    member("signature", report.signature)
    member("symbols", report.symbols.description)
    member("source", report.source)
    endObject()
  }
}
