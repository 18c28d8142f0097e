/// Text in an XML document.
enum XMLText {
  /// Escapes text for content and attributes; characters that XML doesn't allow are replaced.
  ///
  /// Source: XML 1.0, section 2.2.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\n", "\t": escaped.unicodeScalars.append(scalar)
      case "\0"..<" ", "\u{7f}"..<"\u{a0}", "\u{fffe}", "\u{ffff}": escaped += "\u{fffd}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
