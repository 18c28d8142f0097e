internal import Bytes
internal import CrashModel
internal import CrashService
internal import JSON
package import Pipeline
internal import TriageModel

/// A triage as a SARIF log: a result for each group, with its location, stack and fingerprint.
///
/// Source: OASIS, Static Analysis Results Interchange Format 2.1.0.
package struct SARIFLog {
  private static let schema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

  private let triage: TriageResult
  private let root: SourceRoot
  private let findings: [TriageFinding]
  /// The categories of the groups, each a rule.
  private let rules: [SignatureCategory]

  package init(_ triage: TriageResult, root: SourceRoot) {
    self.triage = triage
    self.root = root
    findings = triage.groups.map { TriageFinding($0, root: root) }
    let used = Set(triage.groups.map(\.summary.signature.category))
    rules = SignatureCategory.allCases.filter { used.contains($0) }
  }

  package var bytes: [UInt8] {
    var writer = JSONWriter(pretty: true)
    writer.beginObject()
    writer.member("$schema", Self.schema)
    writer.member("version", "2.1.0")
    writer.key("runs")
    writer.beginArray()
    writer.beginObject()
    writeTool(to: &writer)
    writeInvocation(to: &writer)
    writer.key("results")
    writer.beginArray()
    for finding in findings { write(finding, to: &writer) }
    writer.endArray()
    writer.endObject()
    writer.endArray()
    writer.endObject()
    writer.newLine()
    return writer.takeBytes()
  }

  private func writeTool(to writer: inout JSONWriter) {
    writer.key("tool")
    writer.beginObject()
    writer.key("driver")
    writer.beginObject()
    writer.member("name", "mayday")
    writer.member("version", Product.version)
    writer.key("rules")
    writer.beginArray()
    for rule in rules {
      writer.beginObject()
      writer.member("id", rule.rawValue)
      writer.key("shortDescription")
      Self.write(message: "Reports of the category \(rule.rawValue).", to: &writer)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    writer.endObject()
  }

  /// Files that cannot be read are part of how the tool ran, not of what it found.
  private func writeInvocation(to writer: inout JSONWriter) {
    writer.key("invocations")
    writer.beginArray()
    writer.beginObject()
    writer.member(
      "executionSuccessful", !(triage.reports == 0 && !triage.unreadable.isEmpty))
    writer.key("toolExecutionNotifications")
    writer.beginArray()
    for file in triage.unreadable {
      writer.beginObject()
      writer.member("level", "warning")
      writer.key("message")
      Self.write(message: "\(file.source.printable): \(file.reason.printable)", to: &writer)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    writer.endArray()
  }

  private func write(_ finding: TriageFinding, to writer: inout JSONWriter) {
    let summary = finding.group.summary
    writer.beginObject()
    writer.member("ruleId", summary.signature.category.rawValue)
    writer.member("ruleIndex", rules.firstIndex(of: summary.signature.category))
    writer.member("level", finding.isKnown ? "note" : "error")
    if let isNew = finding.group.isNew {
      writer.member("baselineState", isNew ? "new" : "unchanged")
    }
    writer.key("message")
    let text = ["\(finding.heading): \(finding.name)"] + finding.details
    Self.write(message: text.joined(separator: "; "), to: &writer)
    writer.key("locations")
    writer.beginArray()
    // Code scanning wants one: without a location in the source, it is the file of the report.
    writer.beginObject()
    write(
      file: finding.file ?? finding.source, line: finding.file == nil ? nil : finding.line,
      column: finding.column, to: &writer)
    writer.endObject()
    writer.endArray()
    writer.member("occurrenceCount", summary.reports)
    writer.key("partialFingerprints")
    writer.beginObject()
    writer.member("maydayGroup/\(summary.signature.rules)", summary.signature.key)
    writer.endObject()
    writeStack(of: finding, to: &writer)
    writer.key("properties")
    writer.beginObject()
    writer.member("app", summary.app)
    writer.member("versions", summary.versions.map(\.version).filter { !$0.isEmpty })
    writer.endObject()
    writer.endObject()
  }

  private func writeStack(of finding: TriageFinding, to writer: inout JSONWriter) {
    let frames = finding.stack
    guard !frames.isEmpty else { return }
    writer.key("stacks")
    writer.beginArray()
    writer.beginObject()
    writer.key("frames")
    writer.beginArray()
    for frame in frames {
      let text = FrameText(frame, in: finding.group.exemplar)
      writer.beginObject()
      writer.member("module", text.image)
      writer.key("location")
      writer.beginObject()
      if let file = frame.file {
        write(file: root.path(of: file), line: frame.line, column: frame.column, to: &writer)
      }
      writer.key("logicalLocations")
      writer.beginArray()
      writer.beginObject()
      writer.member("fullyQualifiedName", text.name)
      writer.member("kind", "function")
      writer.endObject()
      writer.endArray()
      writer.endObject()
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    writer.endArray()
  }

  private func write(file: String, line: Int?, column: Int?, to writer: inout JSONWriter) {
    writer.key("physicalLocation")
    writer.beginObject()
    writer.key("artifactLocation")
    writer.beginObject()
    writer.member("uri", root.uri(of: file))
    writer.endObject()
    if let line, line > 0 {
      writer.key("region")
      writer.beginObject()
      writer.member("startLine", line)
      writer.member("startColumn", column.flatMap { $0 > 0 ? $0 : nil })
      writer.endObject()
    }
    writer.endObject()
  }

  private static func write(message: String, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("text", message)
    writer.endObject()
  }
}
