internal import CrashModel
internal import JSON
package import Pipeline
internal import TriageModel

/// A triage as a Code Quality report of GitLab: merge requests show it at the lines of the source.
///
/// Source: docs.gitlab.com, "Code Quality", "Code Quality report format".
package struct GitLabCodeQuality {
  private let findings: [TriageFinding]

  package init(_ triage: TriageResult, root: SourceRoot) {
    findings = triage.groups.map { TriageFinding($0, root: root) }
  }

  package var bytes: [UInt8] {
    var writer = JSONWriter(pretty: true)
    writer.beginArray()
    for finding in findings {
      writer.beginObject()
      let text = ["\(finding.heading): \(finding.name)"] + finding.details
      writer.member("description", text.joined(separator: "; "))
      writer.member("check_name", finding.group.summary.signature.category.rawValue)
      writer.member("fingerprint", finding.group.summary.signature.key)
      writer.member("severity", finding.isKnown ? "minor" : "critical")
      writer.key("location")
      writer.beginObject()
      // A place is required: without one in the source, it is the file of the report.
      writer.member("path", finding.file ?? finding.source)
      writer.key("lines")
      writer.beginObject()
      writer.member("begin", finding.file == nil ? 1 : finding.line ?? 1)
      writer.endObject()
      writer.endObject()
      writer.endObject()
    }
    writer.endArray()
    writer.newLine()
    return writer.takeBytes()
  }
}
