internal import Rendering
internal import ReportFormats

/// Formats as Markdown: a table of all, and a section for each.
struct FormatPage {
  let formats: [KnownFormat]
  private static let width = 110

  var lines: [String] {
    var lines = [
      "| format | reports of | frames | since |", "|---|---|---|---|",
    ]
    lines += formats.map { format in
      "| [`\(format.format)`](#\(Self.anchor(of: format))) | \(format.about.title)"
        + " | \(format.about.symbols.rawValue) | \(format.about.since) |"
    }
    for format in formats { lines += section(of: format) }
    return lines
  }

  private static func heading(of format: KnownFormat) -> String {
    "\(format.about.title) (`\(format.format)`)"
  }

  /// The anchor that sites give the heading: lowercase, spaces as dashes, no punctuation.
  private static func anchor(of format: KnownFormat) -> String {
    var anchor = ""
    for character in heading(of: format).lowercased() {
      if character == " " {
        anchor.append("-")
      } else if character.isLetter || character.isNumber || "-_".contains(character) {
        anchor.append(character)
      }
    }
    return anchor
  }

  private func section(of format: KnownFormat) -> [String] {
    let about = format.about
    var lines = ["", "## \(Self.heading(of: format))", ""]
    lines += about.introduction.lines(of: Self.width)
    if !about.facts.isEmpty {
      lines += ["", "| | |", "|---|---|"]
      lines += about.facts.map { "| \($0.name) | \($0.text) |" }
    }
    for paragraph in about.notes.paragraphs {
      lines.append("")
      lines += paragraph.isText ? paragraph.text.lines(of: Self.width) : paragraph.lines
    }
    return lines
  }
}

/// The text between two empty lines of Markdown.
struct MarkdownParagraph {
  let text: String

  /// Whether its lines may be rewrapped: not those of tables and headings.
  var isText: Bool { !text.hasPrefix("|") && !text.hasPrefix("#") && !text.hasPrefix("- ") }
  var lines: [String] { text.split(separator: "\n").map(String.init) }
}

extension String {
  var paragraphs: [MarkdownParagraph] {
    split(separator: "\n\n").map { MarkdownParagraph(text: String($0)) }
  }
}
