internal import CrashModel
internal import Rendering
package import ReportFormats

/// The formats, one per line, under the name of their family.
struct FormatList {
  let formats: [KnownFormat]

  func lines(width: Int, styles: Styles) -> [String] {
    let name = formats.map(\.format.description.columns).max() ?? 0
    let title = formats.map(\.about.plainTitle.columns).max() ?? 0
    var lines: [String] = []
    for family in FormatDescription.Family.allCases {
      let own = formats.filter { $0.about.family == family }
      guard !own.isEmpty else { continue }
      if !lines.isEmpty { lines.append("") }
      lines.append(styles.strong(family.rawValue))
      lines += own.map { format in
        let about = format.about
        return "  \(styles.location(format.format.description.padded(to: name)))  "
          + "\(about.plainTitle.padded(to: title))  "
          + styles.dim("\(about.symbols.rawValue.padded(to: 8))  since \(about.since)")
      }
    }
    lines.append("")
    lines += """
      resolved: debug files turn the addresses of frames into functions and lines. printed: frames \
      stay as they stand in the report. 'mayday formats NAME' tells more of one.
      """.lines(of: width)
    return lines
  }
}

extension FormatDescription {
  /// The title without Markdown.
  package var plainTitle: String { title.filter { $0 != "`" } }
}
