package import CrashModel
package import CrashService
package import CrashStore
package import Documents
internal import ReportFormats

extension ReportSummary: Documented {
  static var blank: ReportSummary {
    ReportSummary(
      id: "", group: "", app: "", format: .appleIPS, kind: .crash, time: .zero, received: .zero,
      signature: "", symbols: .missing, source: "")
  }

  package static let declaration = DocumentType("ReportSummary", blank: blank) {
    DocumentMember(schema: 1)
    DocumentMember("id", \.id, .text, example: "9f86d081884c7d659a2feaa0c55ad015")
    DocumentMember("group", \.group, .text, example: "TERN-12")
    DocumentMember(
      object: "app", "The app that the store has it under, with the report's release"
    ) {
      DocumentMember("name", \.app, .text, example: "Tern")
      DocumentMember("version", optional: \.version, .text, example: "1.4.0")
      DocumentMember("build", optional: \.build, .text, example: "512")
    }
    DocumentMember("format", \.format, .format)
    DocumentMember("kind", \.kind, .word)
    DocumentMember("time", \.time, .time)
    DocumentMember("received", \.received, .time)
    DocumentMember(object: "os", "Name and version in one text", where: { $0.os != nil }) {
      DocumentMember("text", optional: \.os, .text, example: "iOS 17.2")
    }
    DocumentMember(object: "device", where: { $0.device != nil }) {
      DocumentMember("model", optional: \.device, .text, example: "iPhone15,2")
    }
    DocumentMember(object: "reason", "In one line", where: { $0.reason != nil }) {
      DocumentMember("text", optional: \.reason, .text, example: "EXC_BAD_ACCESS (SIGSEGV)")
    }
    DocumentMember(object: "signature") {
      DocumentMember("text", \.signature, .text, example: "tern::priceOf")
    }
    DocumentMember(
      "symbols", \.symbols, .coverage, "Debug file coverage of its images.")
    DocumentMember(
      "file", \.source, .text, "The file that it was read from.", example: "crash.ips")
  }
}

extension DocumentValue where Value == ReportFormat {
  package static var format: DocumentValue<ReportFormat> {
    // Unknown names are accepted: a newer server may have more formats.
    DocumentValue(
      text: .choice(FormatRegistry.builtIn.formats.map(\.format.description)), "a text",
      write: { $0.description }, read: { ReportFormat($0) })
  }
}

extension DocumentValue where Value == SymbolCoverage {
  package static var coverage: DocumentValue<SymbolCoverage> {
    .word(
      SymbolCoverage.allCases.map(\.description), write: { $0.description },
      read: { word in SymbolCoverage.allCases.first { $0.description == word } })
  }
}

extension ReportVersions: Documented {
  package static let declaration = DocumentType(
    "ReportVersions", blank: ReportVersions(report: "", group: "", versions: [])
  ) {
    DocumentMember("report", \.report, .text, example: "9f86d081884c7d659a2feaa0c55ad015")
    DocumentMember("group", \.group, .text, example: "TERN-12")
    DocumentMember("versions", \.versions, .list(.document), "Oldest first.")
  }
}

extension ReportVersion: Documented {
  package static let declaration = DocumentType(
    "ReportVersion",
    blank: ReportVersion(number: 0, replaced: .zero, group: "", arrived: [], document: "")
  ) {
    DocumentMember("number", \.number, .count, "Counted from 1.")
    DocumentMember("replaced", \.replaced, .time)
    DocumentMember("group", \.group, .text, "Its group at that time.", example: "TERN-12")
    DocumentMember("arrived", \.arrived, .list(.debugID), "Debug ids whose files arrived.")
    DocumentMember("document", \.document, .digest, "The SHA-256 of its document.")
  }
}

/// How a report got into its group, and the app it is stored under.
package struct ReportGroup: Hashable, Sendable {
  package var app: String
  package var reportMembership: ReportMembership
  package var ownerOfKey: String?

  package init(app: String, _ membership: Explanation.Membership) {
    self.app = app
    reportMembership = membership.reportMembership
    ownerOfKey = membership.ownerOfKey
  }

  fileprivate init() {
    app = ""
    reportMembership = ReportMembership(group: "", home: "", found: .unknown)
  }

  package var membership: Explanation.Membership {
    Explanation.Membership(reportMembership: reportMembership, ownerOfKey: ownerOfKey)
  }
}

extension ReportGroup: Documented {
  package static let declaration = DocumentType("ReportGroup", blank: ReportGroup()) {
    DocumentMember("app", \.app, .text, example: "Tern")
    DocumentMember("group", \.reportMembership.group, .text, example: "TERN-12")
    DocumentMember(
      "home", \.reportMembership.home, .text, "The group it would be in without merges.")
    DocumentMember("found", \.reportMembership.found, .found, "How it found that group.")
    DocumentMember(
      "owner_of_key", optional: \.ownerOfKey, .text, "The group that its key leads to, if another.")
    DocumentMember("split_from", optional: \.reportMembership.splitFrom, .text)
    DocumentMember("split_rule", optional: \.reportMembership.rule, .text)
  }
}

/// The way a report found its group, as in documents.
private struct MatchReasonParts: Documented {
  var word = ""
  var detail: String?

  static let declaration = DocumentType("MatchReason", blank: MatchReasonParts()) {
    DocumentMember(
      "by", \.word,
      .words([
        "new", "key", "reading", "alternative", "followed", "moved", "merged", "linked", "unknown",
      ]))
    DocumentMember("detail", optional: \.detail, .text, "The key, the group, or why it is linked.")
  }
}

extension DocumentValue where Value == MatchReason {
  package static var found: DocumentValue<MatchReason> {
    DocumentValue<MatchReasonParts>.object(MatchReasonParts.declaration).map(
      write: { MatchReasonParts(word: $0.word, detail: $0.detail) },
      read: { MatchReason(word: $0.word, detail: $0.detail) })
  }
}
