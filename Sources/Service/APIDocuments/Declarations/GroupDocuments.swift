internal import CrashModel
package import CrashService
package import CrashStore
package import Documents
internal import Identifiers
package import ReportDocument
package import TriageModel

extension GroupSummary: Documented {
  static var blank: GroupSummary {
    GroupSummary(
      id: "", app: "", signature: Signature(text: "", key: "", category: .signal, rules: ""),
      kind: .crash, reports: 0, exemplar: "")
  }

  package static let declaration = DocumentType("GroupSummary", blank: blank) {
    DocumentMember(schema: 1)
    DocumentMember(
      "id", \.id, .text, "The app's prefix and a number that is never used again.",
      example: "TERN-12")
    DocumentMember(object: "app", "The app that the store has it under") {
      DocumentMember("name", \.app, .text, example: "Tern")
    }
    DocumentMember(object: "signature", "As in its exemplar") {
      DocumentMember("text", \.signature.text, .text, example: "tern::priceOf")
      DocumentMember("hash", \.signature.key, .text, "The grouping key.")
      DocumentMember("category", \.signature.category, .word)
      DocumentMember(
        "rules", \.signature.rules, .text, "The version of the grouping rules.", example: "v1")
      DocumentMember(
        "provisional", \.signature.isProvisional, .flag,
        "Whether missing debug files could change the signature.")
    }
    DocumentMember(
      object: "reason", "Of the newest report, in one line", where: { $0.reason != nil }
    ) { DocumentMember("text", optional: \.reason, .text, example: "EXC_BAD_ACCESS (SIGSEGV)") }
    DocumentMember("kind", \.kind, .word, "The kind of the reason, as in reports.")
    DocumentMember("state", \.state, .word)
    DocumentMember("state_since", optional: \.status.time, .time)
    DocumentMember("state_by", optional: \.status.author, .text, example: "ann")
    DocumentMember(
      "fixed", optional: \.status.fix, .object(GroupFix.declaration),
      "The release it was resolved in.")
    DocumentMember(
      "ignored_until", optional: \.status.ignore, .object(IgnoreCondition.declaration),
      "The condition that reopens an ignored group.")
    DocumentMember("assignee", optional: \.assignee, .text, example: "ann")
    DocumentMember(
      "ticket", optional: \.ticket, .object(GroupTicket.declaration),
      "The issue about it in a tracker.")
    DocumentMember(
      "merged", nonEmpty: \.merged, .list(.text), "The groups that were merged into it.",
      example: ["TERN-7"])
    DocumentMember(
      "reports", \.reports, .count, "The number of reports, including expired ones.")
    DocumentMember(
      "installs", optional: \.installs, .count, "Number of installations, if reports name them.")
    DocumentMember("first_seen", optional: \.firstSeen, .time)
    DocumentMember("last_seen", optional: \.lastSeen, .time)
    DocumentMember(
      "versions", \.versions, .list(.object(VersionCount.declaration)),
      "In the order of the versions")
    DocumentMember(
      "exemplar", \.exemplar, .text,
      "The exemplar's id; empty if all reports were removed.",
      example: "9f86d081884c7d659a2feaa0c55ad015")
  }
}

extension GroupTicket: Documented {
  package static let declaration = DocumentType("GroupTicket", blank: GroupTicket(url: "")) {
    DocumentMember("url", \.url, .text, example: "https://github.com/acme/tern/issues/7")
    DocumentMember("state", \.state, .word)
  }
}

extension GroupFix: Documented {
  /// The release; empty if there is none, as in documents.
  private var parts: Release {
    get { release ?? Release(version: "") }
    set { release = newValue.isEmpty ? nil : newValue }
  }

  package static let declaration = DocumentType("GroupFix", blank: GroupFix(.time)) {
    DocumentMember("how", \.kind, .word)
    DocumentMember("version", nonEmpty: \.parts.version, .text, example: "1.5.0")
    DocumentMember("build", nonEmpty: \.parts.build, .text, example: "600")
  }
}

extension IgnoreCondition: Documented {
  package static let declaration = DocumentType("IgnoreCondition", blank: IgnoreCondition()) {
    DocumentMember("reports", optional: \.reports, .count, "This many more reports.")
    DocumentMember("users", optional: \.users, .count, "Reports from this many more installations.")
    DocumentMember("time", optional: \.until, .time)
  }
}

extension VersionCount: Documented {
  package static let declaration = DocumentType(
    "VersionCount", blank: VersionCount(version: "", reports: 0)
  ) {
    DocumentMember(
      "version", \.version, .text, "Empty if the reports name none.", example: "1.4.0 (512)")
    DocumentMember("reports", \.reports, .count)
  }
}

extension GroupOverview: Documented {
  /// The newest reports, written only with the breakdown.
  private var newest: [ReportSummary]? {
    get { breakdown == nil ? nil : recent }
    set { recent = newValue ?? [] }
  }

  package static let declaration = DocumentType(
    "Group", blank: GroupOverview(group: .blank, history: [])
  ) {
    GroupSummary.declaration.members(at: \GroupOverview.group)
    DocumentMember(
      "breakdown", optional: \.breakdown, .object(GroupBreakdown.declaration),
      "Where it was seen; for a single group only.")
    DocumentMember(
      "recent", optional: \.newest, .list(.document), "Newest reports; for a single group only.")
    DocumentMember(
      "variant_count", optional: \.variantCount, .count,
      "The number of different stacks; for a single group only.")
    DocumentMember(
      "proposed_splits", nonEmpty: \.splits, .list(.document),
      "Variants that may be another bug, if the group looks mixed.")
    DocumentMember(
      "history", \.history, .list(.document), "Its history; for a single group only.")
    DocumentMember(
      "report", optional: \.exemplar, .report, "The exemplar's document; for a single group only.")
  }
}

extension DocumentValue where Value == StoredReport {
  /// The document of a report, which has its own writer and reader.
  package static var report: DocumentValue<StoredReport> {
    DocumentValue(
      .named("Report"), write: { $0.write(to: &$1) }, read: { try StoredReport($0) })
  }
}

extension GroupBreakdown: Documented {
  package static let declaration = DocumentType(
    "GroupBreakdown",
    blank: GroupBreakdown(
      reportsOfApp: 0, versions: [], systems: .blank, devices: .blank, days: [])
  ) {
    DocumentMember("reports_of_app", \.reportsOfApp, .count, "Reports of all groups of the app.")
    DocumentMember("versions", \.versions, .list(.object(Version.declaration)))
    DocumentMember("systems", \.systems, .document, "Names and versions of operating systems.")
    DocumentMember("devices", \.devices, .document, "Models.")
    DocumentMember(
      "days", \.days, .list(.document), "30 days, including those without reports.")
  }
}

extension GroupBreakdown.Version: Documented {
  package static let declaration = DocumentType(
    "VersionSpan",
    blank: GroupBreakdown.Version(name: "", reports: 0, firstDay: .zero, lastDay: .zero)
  ) {
    DocumentMember(
      "version", \.name, .text, "Empty if the reports name none.", example: "1.4.0 (512)")
    DocumentMember("reports", \.reports, .count)
    DocumentMember("first_day", \.firstDay, .day)
    DocumentMember("last_day", \.lastDay, .day)
  }
}

extension GroupBreakdown.Ranking: Documented {
  static var blank: GroupBreakdown.Ranking {
    GroupBreakdown.Ranking(top: [], others: 0, reportsOfOthers: 0)
  }

  package static let declaration = DocumentType("Ranking", blank: blank) {
    DocumentMember(
      "top", \.top, .list(.object(GroupBreakdown.Share.declaration)), "Most frequent first.")
    DocumentMember("others", \.others, .count, "The number of other values.")
    DocumentMember("reports_of_others", \.reportsOfOthers, .count)
  }
}

extension GroupBreakdown.Share: Documented {
  package static let declaration = DocumentType(
    "Share", blank: GroupBreakdown.Share(name: "", reports: 0)
  ) {
    DocumentMember("name", \.name, .text, "Empty if the reports name none.", example: "iOS 17.2")
    DocumentMember("reports", \.reports, .count)
  }
}

extension GroupBreakdown.Day: Documented {
  package static let declaration = DocumentType(
    "DayCount", blank: GroupBreakdown.Day(start: .zero, reports: 0)
  ) {
    DocumentMember("day", \.start, .day)
    DocumentMember("reports", \.reports, .count)
  }
}

extension TrendPoint: Documented {
  package static let declaration = DocumentType(
    "TrendPoint", blank: TrendPoint(day: .zero, reports: 0)
  ) {
    DocumentMember("day", \.day, .day)
    DocumentMember("reports", \.reports, .count)
  }
}

extension GroupEvent: Documented {
  package static let declaration = DocumentType(
    "GroupEvent",
    blank: GroupEvent(
      number: 0, group: "", time: .zero, author: "", event: "", detail: "", isAction: false)
  ) {
    DocumentMember("number", \.number, .count)
    DocumentMember(
      "group", \.group, .text, "The affected group; differs for merged groups.",
      example: "TERN-12")
    DocumentMember("time", \.time, .time)
    DocumentMember(
      "author", \.author, .text, "`mayday` for effects of reports.", example: "ann")
    DocumentMember("event", \.event, .text, example: "resolved")
    DocumentMember("detail", \.detail, .text, "What changed.", example: "in 1.5.0")
    DocumentMember("undone", optional: \.undone, .count, "The entry that undid it.")
    DocumentMember(
      "can_undo", \.isAction, .flag, "Whether it is a user's action, which can be undone.")
  }
}

extension GroupKey: Documented {
  package static let declaration = DocumentType(
    "GroupKey", blank: GroupKey(key: "", signature: "", reports: 0, versions: [])
  ) {
    DocumentMember(schema: 1)
    DocumentMember(object: "signature", "Of the newest report that has the key") {
      DocumentMember("text", \.signature, .text, example: "tern::priceOf")
      DocumentMember("hash", \.key, .text, "The grouping key.")
    }
    DocumentMember("reports", \.reports, .count)
    DocumentMember("versions", \.versions, .list(.text), example: ["1.4.0 (512)"])
  }
}

extension DecidedGroups: Documented {
  package static let declaration = DocumentType("DecidedGroups", blank: DecidedGroups(groups: [])) {
    DocumentMember("groups", \.groups, .list(.document), "The groups after the change.")
    DocumentMember("warnings", \.warnings, .list(.text), "Effects that may be unintended.")
  }
}
