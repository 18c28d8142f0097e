internal import Rendering
internal import ReportFormats

/// Formats in full, for a terminal.
struct FormatText {
  let formats: [KnownFormat]

  func lines(width: Int, styles: Styles) -> [String] {
    var lines: [String] = []
    for format in formats {
      if !lines.isEmpty { lines.append("") }
      lines += Self.lines(of: format, width: min(width, 100), styles)
    }
    return lines
  }

  private static func lines(of format: KnownFormat, width: Int, _ styles: Styles) -> [String] {
    let about = format.about
    let margin = 2 + (about.facts.map(\.name.columns).max() ?? 0) + 2
    var lines = [
      styles.heading("\(about.plainTitle) (\(format.format))"), "",
    ]
    lines += about.introduction.lines(of: width)
    if !about.facts.isEmpty { lines.append("") }
    for fact in about.facts {
      let texts = fact.text.lines(of: max(20, width - margin))
      for (index, text) in texts.enumerated() {
        let name = index == 0 ? fact.name : ""
        lines.append("  " + styles.strong(name.padded(to: margin - 4)) + "  " + text)
      }
    }
    for paragraph in about.notes.paragraphs {
      lines.append("")
      lines += paragraph.isText ? paragraph.text.lines(of: width) : paragraph.lines
    }
    return lines
  }
}
