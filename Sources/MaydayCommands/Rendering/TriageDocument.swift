import CrashModel
import JSON
import ReportDocument

/// Groups and triages as JSON.
extension JSONWriter {
  mutating func write(_ group: GroupSummary) {
    beginObject()
    writeMembers(of: group)
    endObject()
  }

  private mutating func writeMembers(of group: GroupSummary) {
    member("id", group.id)
    member("app", group.app)
    member("signature", group.signature.text)
    member("hash", group.signature.key)
    member("category", group.signature.category.rawValue)
    member("rules", group.signature.rules)
    member("provisional", group.signature.isProvisional)
    member("reason", group.reason)
    member("kind", group.kind.rawValue)
    member("state", group.state.rawValue)
    member("reports", group.reports)
    member("installs", group.installs)
    member("first_seen", group.firstSeen?.description)
    member("last_seen", group.lastSeen?.description)
    key("versions")
    beginArray()
    for count in group.versions {
      beginObject()
      member("version", count.version)
      member("reports", count.reports)
      endObject()
    }
    endArray()
    member("exemplar", group.exemplar)
  }

  mutating func write(_ triage: TriageSummary) {
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
        member("file", report.file)
        member("time", report.report.time?.description)
        member("version", ReportFacts.version(of: report.report.app))
        endObject()
      }
      endArray()
      if let exemplar = group.exemplar {
        key("report")
        exemplar.report.write(to: &self, id: exemplar.id, received: nil)
      }
      endObject()
    }
    endArray()
    write("unrecognised", triage.refusals)
    write("refused_symbols", triage.refusedSymbols)
    key("missing_symbols")
    beginArray()
    for entry in triage.unexplained {
      beginObject()
      member("name", entry.image.name)
      member("arch", entry.image.architecture?.description)
      member("debug_id", entry.image.debugID?.description)
      member("code_id", entry.image.codeID?.description)
      member("status", entry.image.symbols?.verdict.rawValue)
      member("reports", entry.reports)
      endObject()
    }
    endArray()
    key("counts")
    beginObject()
    member("files", triage.files)
    member("reports", triage.reports)
    member("groups", triage.groups.count)
    member("unrecognised", triage.refusals.count)
    endObject()
    endObject()
  }

  private mutating func write(_ key: String, _ refusals: [TriageSummary.Refusal]) {
    self.key(key)
    beginArray()
    for refusal in refusals {
      beginObject()
      member("file", refusal.file)
      member("reason", refusal.reason)
      endObject()
    }
    endArray()
  }
}
