internal import Bytes
internal import Identifiers
package import Updates

/// A check for an update: the answer, and the verdict on each file.
package struct CheckExplanationText {
  package let explanation: CheckExplanation

  package init(explanation: CheckExplanation) { self.explanation = explanation }

  package func lines(width: Int, styles: Styles) -> [String] {
    var lines = [explanation.reason.printable]
    guard !explanation.files.isEmpty else { return lines }
    var table = TextTable([
      .number("NO"), .text("RELEASE", .atEnd), .text("VERDICT"), .text("WHY", .atEnd),
    ])
    for file in explanation.files {
      table.add(
        [
          "#\(file.number)", file.release.name.printable, file.verdict.rawValue,
          file.reason.printable,
        ], style: file.verdict == .offered ? nil : styles.dim)
    }
    lines.append("")
    return lines + table.lines(width: width, styles: styles)
  }
}
