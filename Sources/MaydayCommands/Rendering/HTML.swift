/// Markup that is safe: what stands in the source is markup, what is put into it is text.
///
///     let line: HTML = "<td class=\"name\">\(image.name)</td>"
///
/// Values go between tags or into attributes that are quoted with `"`; nowhere else.
struct HTML: ExpressibleByStringInterpolation, Sendable {
  let markup: String

  init(stringLiteral markup: String) { self.markup = markup }
  init(stringInterpolation interpolation: Interpolation) { markup = interpolation.markup }
  private init(markup: String) { self.markup = markup }

  static let none = HTML(markup: "")

  init(_ parts: [HTML]) { markup = parts.map(\.markup).joined() }

  struct Interpolation: StringInterpolationProtocol {
    var markup = ""

    init(literalCapacity: Int, interpolationCount: Int) { markup.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ literal: String) { markup += literal }

    /// Text from outside: made printable, and its markup taken from it.
    mutating func appendInterpolation(_ text: String) {
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

    mutating func appendInterpolation(_ number: Int) { markup += String(number) }
    mutating func appendInterpolation(_ part: HTML) { markup += part.markup }
    mutating func appendInterpolation(_ parts: [HTML]) {
      for part in parts { markup += part.markup }
    }
  }
}
