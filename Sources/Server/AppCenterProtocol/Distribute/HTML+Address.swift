internal import Bytes
internal import Rendering

extension HTML.Interpolation {
  /// Appends text of several lines, each made printable and whole: who stored it limited its length.
  mutating func appendInterpolation(lines text: String) {
    var isFirst = true
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      if !isFirst { appendLiteral("\n") }
      appendInterpolation(HTML(edited: String(line).printable))
      isFirst = false
    }
  }

  /// Appends an address of this server, whole, where a shortened one would lead nowhere.
  mutating func appendInterpolation(address: String) { appendInterpolation(HTML(edited: address)) }
}
