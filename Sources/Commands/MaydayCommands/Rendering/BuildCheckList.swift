import APIDocuments
import Bytes
import CrashStore
import Documents
import Identifiers
import JSON
import Rendering
import Terminal

/// The result of a build's check.
struct BuildCheckList {
  let findings: [BuildCheck.Finding]
  /// Debug files that reports of the release lack.
  let missing: [MissingImage]
  let release: Release?

  private var incomplete: [BuildCheck.Finding] { findings.filter { $0.verdict != .complete } }

  /// The missing files, in a sentence; `nil` if there are none.
  var problem: String? {
    var parts: [String] = []
    if !incomplete.isEmpty {
      parts.append(
        GroupText.count(
          incomplete.count, "file lacks its debug information",
          "files lack their debug information"))
    }
    if !missing.isEmpty, let release {
      parts.append(
        "reports of \(release.name.printable) miss "
          + GroupText.count(missing.count, "debug file", "debug files"))
    }
    return parts.isEmpty ? nil : "the debug files are incomplete: " + parts.joined(separator: "; ")
  }

  func print(_ console: Console, json: Bool) throws {
    if json {
      var writer = JSONWriter(pretty: true)
      write(to: &writer)
      writer.newLine()
      try console.write(json: writer.takeBytes())
    } else {
      try console.write(lines: lines(width: console.width, styles: console.styles))
    }
    guard !findings.isEmpty else { return }
    console.say(
      "\(GroupText.count(findings.count, "file", "files")), "
        + "\(findings.count - incomplete.count) complete")
  }

  func lines(width: Int, styles: Styles) -> [String] {
    guard !findings.isEmpty else { return [] }
    var table = TextTable([
      .text("VERDICT"), .text("ARCH"), .text("DEBUG ID"), .text("FILE", .atStart),
    ])
    for finding in findings {
      table.add(
        [
          finding.verdict.rawValue, finding.architecture?.description.printable ?? "",
          finding.debugID?.description ?? "", finding.path.printable,
        ], style: finding.verdict == .complete ? nil : styles.warning)
    }
    let rows = table.lines(width: width, styles: styles)
    var lines =
      Array(rows.prefix(1))
      + zip(rows.dropFirst(), findings).flatMap { row, finding -> [String] in
        let reason = finding.reason?.printable.lines(of: width - 10, atMost: 3) ?? []
        return [row] + reason.map { "          " + styles.dim($0) }
      }
    if !missing.isEmpty, let release {
      lines += ["", styles.strong("Missing to reports of \(release.name.printable):"), ""]
      lines += MissingImageList(images: missing).lines(width: width, styles: styles)
    }
    return lines
  }

  private func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("complete", problem == nil && !findings.isEmpty)
    writer.member("release", release?.name)
    writer.key("files")
    writeFindings(to: &writer)
    writer.key("missing")
    writer.beginArray()
    for image in missing { writer.write(image) }
    writer.endArray()
    writer.endObject()
  }

  /// The findings as an array.
  func writeFindings(to writer: inout JSONWriter) {
    writer.beginArray()
    for finding in findings {
      writer.beginObject()
      writer.member("file", finding.path)
      writer.member("arch", finding.architecture?.description)
      writer.member("debug_id", finding.debugID?.description)
      writer.member("verdict", finding.verdict.rawValue)
      writer.member("reason", finding.reason)
      writer.member("debug_file", finding.debugFile)
      writer.endObject()
    }
    writer.endArray()
  }
}
