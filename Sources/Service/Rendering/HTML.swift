internal import CommonMark
internal import Bytes
internal import CrashService

/// Safe markup: literals are markup, interpolated values are text.
///
///     let line: HTML = "<td class=\"name\">\(image.name)</td>"
///
/// Values may be used between tags or in attributes quoted with `"`, nowhere else.
package struct HTML: ExpressibleByStringInterpolation, Sendable {
  package let markup: String

  /// The maximum number of bytes of one text on a page: a report may have names of a megabyte.
  package static let longestText = 2_048

  package init(stringLiteral markup: String) { self.markup = markup }
  package init(stringInterpolation interpolation: Interpolation) { markup = interpolation.markup }
  private init(markup: String) { self.markup = markup }

  package static let none = HTML(markup: "")

  /// Creates an editable text: complete and unchanged, with its markup escaped.
  package init(edited text: String) {
    var markup = ""
    for scalar in text.unicodeScalars { Self.append(scalar, to: &markup) }
    self.markup = markup
  }

  /// Markdown that strangers wrote, without scripts, pictures or HTML of its own.
  ///
  /// - Parameter level: The level of the highest heading, 1 to 6.
  package init(markdown text: String, headingsFrom level: Int = 3) {
    // Characters that change the writing direction may be written as references, too.
    markup = CommonMark.html(of: text, headingsFrom: level)
      .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map { String($0).printable }.joined(separator: "\n")
  }

  package init(_ parts: [HTML]) { markup = parts.map(\.markup).joined() }

  fileprivate static func append(_ scalar: Unicode.Scalar, to markup: inout String) {
    switch scalar {
    case "&": markup += "&amp;"
    case "<": markup += "&lt;"
    case ">": markup += "&gt;"
    case "\"": markup += "&quot;"
    case "'": markup += "&#39;"
    default: markup.unicodeScalars.append(scalar)
    }
  }

  package struct Interpolation: StringInterpolationProtocol {
    package var markup = ""

    package init(literalCapacity: Int, interpolationCount: Int) {
      markup.reserveCapacity(literalCapacity)
    }

    package mutating func appendLiteral(_ literal: String) { markup += literal }

    /// Appends untrusted text: made printable, escaped, and cut if it is too long to be read.
    package mutating func appendInterpolation(_ text: String) {
      let isCut = text.utf8.count > HTML.longestText
      let shown = isCut ? String(text.unicodeScalars.prefix(HTML.longestText)) : text
      for scalar in shown.printable.unicodeScalars { HTML.append(scalar, to: &markup) }
      if isCut { markup += "…" }
    }

    package mutating func appendInterpolation(_ number: Int) { markup += String(number) }
    package mutating func appendInterpolation(_ part: HTML) { markup += part.markup }
    package mutating func appendInterpolation(_ parts: [HTML]) {
      for part in parts { markup += part.markup }
    }
  }
}
