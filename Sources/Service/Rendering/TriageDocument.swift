internal import APIDocuments
internal import CrashModel
internal import CrashService
package import Documents
internal import Identifiers
internal import JSON
package import Pipeline
internal import ReportDocument
internal import TriageModel

/// A triage as a document.
package struct TriageDocument: Sendable {
  package let result: TriageResult
  package let refusedSymbols: [RefusedFile]

  package init(_ result: TriageResult, refusedSymbols: [RefusedFile]) {
    self.result = result
    self.refusedSymbols = refusedSymbols
  }
}

extension TriageDocument: Documented {
  package static let declaration = DocumentType<TriageDocument>(writing: "Triage") {
    DocumentMember(schema: 1)
    DocumentMember(
      "groups", derived: { $0.result.groups }, .list(.document), "The largest groups first.")
    DocumentMember(
      "unrecognised", derived: { $0.result.refused }, .list(.document),
      "Files that are not crash reports.")
    DocumentMember(
      "refused_symbols", derived: { $0.refusedSymbols }, .list(.document),
      "Files that cannot be used as debug files.")
    DocumentMember(
      "missing_symbols", derived: { $0.result.missing },
      .list(.object(MissingSymbols.declaration)), "Images whose debug files are missing.")
    DocumentMember(
      "counts", derived: { $0.result }, .object(TriageResult.counts), "Files, reports and groups.")
  }
}

extension TriageResult {
  fileprivate static let counts = DocumentType<TriageResult>(writing: "TriageCounts") {
    FileCounts.declaration.members(at: \TriageResult.files)
    DocumentMember("reports", derived: { $0.reports }, .count)
    DocumentMember("groups", derived: { $0.groups.count }, .count)
  }
}

extension TriageGroup: Documented {
  package static let declaration = DocumentType<TriageGroup>(writing: "TriageGroup") {
    GroupSummary.declaration.members(at: \TriageGroup.summary)
    DocumentMember(
      "location", derivedOptional: { $0.location }, .text, "Where in the app's code it crashed.",
      example: "src/Renderer.cpp:88:12")
    DocumentMember(
      "keys", derived: { $0.keys }, .list(.text), "The grouping keys of its reports.")
    DocumentMember(
      "alternative_keys", derived: { $0.alternativeKeys }, .list(.text),
      "Other keys by which its reports may be read.")
    DocumentMember(
      "new", derivedOptional: { $0.isNew }, .flag,
      "Whether the baseline, if there is one, lacks it.")
    DocumentMember("members", derived: { $0.reports }, .sequence(.document), "Its reports.")
    DocumentMember(
      "report",
      derived: { StoredReport(id: $0.summary.exemplar, report: $0.exemplar) }, .report,
      "The exemplar's document.")
  }
}

extension TriageReport: Documented {
  package static let declaration = DocumentType<TriageReport>(writing: "TriageReport") {
    DocumentMember("id", derived: { $0.id }, .text)
    DocumentMember("file", derived: { $0.source }, .text, example: "crash.ips")
    DocumentMember("format", derived: { $0.format }, .format)
    DocumentMember("time", derivedOptional: { $0.time }, .time)
    DocumentMember(
      "app", derivedOptional: { $0.version.isEmpty ? nil : Release($0.version) },
      .object(release))
    DocumentMember(
      "os", derivedOptional: { $0.os.name == nil && $0.os.version == nil ? nil : $0.os },
      .object(system))
  }

  private static let release = DocumentType<Release>(writing: "TriageRelease") {
    DocumentMember(
      "version", derivedOptional: { $0.version.isEmpty ? nil : $0.version }, .text,
      example: "1.4.0")
    DocumentMember(
      "build", derivedOptional: { $0.build.isEmpty ? nil : $0.build }, .text, example: "512")
  }

  private static let system = DocumentType<OperatingSystem>(writing: "TriageSystem") {
    DocumentMember("name", derivedOptional: { $0.name }, .text, example: "iOS")
    DocumentMember("version", derivedOptional: { $0.version }, .text, example: "17.2")
    DocumentMember("build", derivedOptional: { $0.build }, .text, example: "21C62")
  }
}

extension MissingSymbols: Documented {
  package static let declaration = DocumentType<MissingSymbols>(writing: "MissingSymbols") {
    DocumentMember("name", derived: { $0.name }, .text, example: "libtern.so")
    DocumentMember("arch", derivedOptional: { $0.architecture }, .architecture)
    DocumentMember("debug_id", derivedOptional: { $0.debugID }, .debugID)
    DocumentMember("code_id", derivedOptional: { $0.codeID }, .codeID)
    DocumentMember("reports", derived: { $0.reports }, .count, "Reports with a frame in it.")
    DocumentMember(
      "in_app", derived: { $0.isOwn }, .flag, "Whether it contains frames of the app's own code.")
  }
}

extension RefusedFile: Documented {
  package static let declaration = DocumentType<RefusedFile>(writing: "UnusableFile") {
    DocumentMember("file", derived: { $0.source }, .text, example: "readme.txt")
    DocumentMember("reason", derived: { $0.reason }, .text)
    DocumentMember(
      "foreign", derived: { $0.isForeign }, .flag,
      "Whether it is something other than a damaged report.")
  }
}
