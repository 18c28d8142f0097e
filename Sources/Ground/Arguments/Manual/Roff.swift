/// A page in the language of man(7), line by line; text is escaped as it is put in.
struct Roff {
  private(set) var text = ""

  /// A line that is a request or a macro: `.SH NAME`.
  mutating func macro(_ name: String, _ arguments: String...) {
    text += "." + name
    for argument in arguments {
      // A request, unlike a macro, takes quotes for a part of its argument.
      let isWord =
        !argument.isEmpty && argument.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
      text += isWord ? " " + argument : " \"\(Self.escaped(argument, inQuotes: true))\""
    }
    text += "\n"
  }

  /// A line of text; bold or italic where it says so.
  mutating func line(_ spans: [Span]) {
    var line = ""
    for span in spans {
      switch span {
      case .plain(let text): line += Self.escaped(text)
      case .bold(let text): line += "\\fB" + Self.escaped(text) + "\\fR"
      case .italic(let text): line += "\\fI" + Self.escaped(text) + "\\fR"
      }
    }
    // A line that begins with a dot or an apostrophe would be a request.
    if line.hasPrefix(".") || line.hasPrefix("'") { line = "\\&" + line }
    text += line + "\n"
  }

  /// Text that is filled, in lines that are not too long for who reads the source.
  mutating func line(_ text: String) {
    for line in wrapped(text, width: 68) { self.line([.plain(line)]) }
  }

  /// Lines that are shown as they stand, with the width of their letters kept.
  mutating func verbatim(_ lines: [String]) {
    text += ".PP\n.in +4n\n.nf\n"
    for line in lines { self.line([.plain(line)]) }
    text += ".fi\n.in\n"
  }

  enum Span {
    case plain(String)
    case bold(String)
    case italic(String)
  }

  private static func escaped(_ text: String, inQuotes: Bool = false) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += inQuotes ? "'" : "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case "\"": result += inQuotes ? "\\(dq" : "\""
      case "\n": result += " "
      case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
      default: result += "\\[u" + String(scalar.value, radix: 16, uppercase: true).padded + "]"
      }
    }
  }
}

extension String {
  /// At least four digits, as roff names a character.
  fileprivate var padded: String { String(repeating: "0", count: max(0, 4 - count)) + self }
}
