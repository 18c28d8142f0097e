internal import CrashModel
internal import CrashService

/// Markup that is safe: what stands in the source is markup, what is put into it is text.
///
///     let line: HTML = "<td class=\"name\">\(image.name)</td>"
///
/// Values go between tags or into attributes that are quoted with `"`; nowhere else.
package struct HTML: ExpressibleByStringInterpolation, Sendable {
  package let markup: String

  package init(stringLiteral markup: String) { self.markup = markup }
  package init(stringInterpolation interpolation: Interpolation) { markup = interpolation.markup }
  private init(markup: String) { self.markup = markup }

  package static let none = HTML(markup: "")

  package init(_ parts: [HTML]) { markup = parts.map(\.markup).joined() }

  package struct Interpolation: StringInterpolationProtocol {
    package var markup = ""

    package init(literalCapacity: Int, interpolationCount: Int) {
      markup.reserveCapacity(literalCapacity)
    }

    package mutating func appendLiteral(_ literal: String) { markup += literal }

    /// Text from outside: made printable, and its markup taken from it.
    package mutating func appendInterpolation(_ text: String) {
      for scalar in text.printable.unicodeScalars {
        switch scalar {
        case "&": markup += "&amp;"
        case "<": markup += "&lt;"
        case ">": markup += "&gt;"
        case "\"": markup += "&quot;"
        case "'": markup += "&#39;"
        default: markup.unicodeScalars.append(scalar)
        }
      }
    }

    package mutating func appendInterpolation(_ number: Int) { markup += String(number) }
    package mutating func appendInterpolation(_ part: HTML) { markup += part.markup }
    package mutating func appendInterpolation(_ parts: [HTML]) {
      for part in parts { markup += part.markup }
    }
  }
}
