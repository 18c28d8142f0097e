internal import Bytes

/// The text of UndefinedBehaviorSanitizer's `FILE:LINE:COLUMN: runtime error: TEXT`.
enum RuntimeError {
  /// The subject of the text, without the values and types of this one case, so that the same error
  /// has the same name each time.
  static func category(of text: RawSpan) -> String {
    for (words, category) in categories where text.has(words) { return category }
    for (words, category) in inside where text.contains(words) { return category }
    return reduced(text)
  }

  /// Texts that begin with a value, or that have several wordings.
  ///
  /// Source: `ubsan_handlers.cpp` of compiler-rt.
  private static let categories: [(words: StaticString, category: String)] = [
    ("left shift of negative value", "left shift of negative value"),
    ("left shift of ", "left shift out of range"),
    ("shift exponent ", "shift exponent out of range"),
    ("load of value ", "load of invalid value"),
    ("variable length array bound", "non-positive variable length array bound"),
    ("pointer index expression", "pointer overflow"),
    ("applying non-zero offset", "pointer overflow"),
    ("applying zero offset", "pointer overflow"),
    ("addition of unsigned offset", "pointer overflow"),
    ("subtraction of unsigned offset", "pointer overflow"),
    ("negation of ", "negation overflow"),
    ("implicit conversion from type", "implicit conversion"),
    ("call to function ", "call through pointer to incorrect function type"),
    ("index ", "index out of bounds"),
  ]
  private static let inside: [(words: StaticString, category: String)] = [
    ("is outside the range of representable values", "float cast overflow"),
    ("control flow integrity check", "control flow integrity check"),
  ]

  private static func reduced(_ text: RawSpan) -> String {
    var end = text.byteCount
    for stop: StaticString in [": ", " of type", " for type", ", which", " in type", "; "] {
      if let found = text.find(stop) { end = min(end, found) }
    }
    var words: [String] = []
    var start = 0
    let part = text.upTo(min(end, 512))
    while start < part.byteCount {
      let stop = part.find(32, from: start) ?? part.byteCount
      let first = part.byteOrZero(start)
      let isValue =
        first.isDigit || first == UInt8(ascii: "-") || first == UInt8(ascii: "'")
        || first == UInt8(ascii: "\"")
      if stop > start, !isValue { words.append(part.part(start..<stop).name) }
      start = stop + 1
    }
    return words.joined(separator: " ")
  }
}
