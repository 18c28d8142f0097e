internal import APIDocuments
internal import Documents
internal import CrashService
internal import CrashModel
package import Pipeline
package import JSON
internal import ReportDocument

/// Triages as JSON.
extension JSONWriter {
  package mutating func write(_ triage: TriageResult, refusedSymbols: [RefusedFile] = []) {
    beginObject()
    member("schema", 1)
    key("groups")
    beginArray()
    for group in triage.groups {
      beginObject()
      writeMembers(of: group.summary)
      member("place", group.place)
      key("members")
      beginArray()
      for report in group.reports {
        beginObject()
        member("id", report.id)
        member("file", report.source)
        member("format", report.format.description)
        member("time", report.time?.description)
        member("version", report.version.isEmpty ? nil : report.version)
        member(
          "os", report.os.name.map { name in report.os.version.map { "\(name) \($0)" } ?? name })
        endObject()
      }
      endArray()
      key("report")
      group.exemplar.write(to: &self, id: group.summary.exemplar, received: nil)
      endObject()
    }
    endArray()
    write("unrecognised", triage.refused)
    write("refused_symbols", refusedSymbols)
    key("missing_symbols")
    beginArray()
    for entry in triage.missing {
      beginObject()
      member("name", entry.name)
      member("arch", entry.architecture?.description)
      member("debug_id", entry.debugID?.description)
      member("code_id", entry.codeID?.description)
      member("reports", entry.reports)
      member("in_app", entry.isOwn)
      endObject()
    }
    endArray()
    key("counts")
    beginObject()
    members(triage.files)
    member("reports", triage.reports)
    member("groups", triage.groups.count)
    endObject()
    endObject()
  }

  package mutating func write(_ key: String, _ refusals: [RefusedFile]) {
    self.key(key)
    beginArray()
    for refusal in refusals {
      beginObject()
      member("file", refusal.source)
      member("reason", refusal.reason)
      member("foreign", refusal.isForeign)
      endObject()
    }
    endArray()
  }
}
