/// Parses the syntax of patterns, a subset of regular expressions that needs to examine each byte
/// only once: characters, `.`, `[a-z]`, `[^"]`, `\d \w \s` and their opposites, `( )`, `|`, `* + ?`
/// and `{2,5}`.
package struct PatternParser {
  /// The deepest nesting of parentheses.
  private static let depthLimit = 32
  /// The highest number in braces.
  private static let countLimit = 1_000

  private let bytes: [UInt8]
  private let end: Int
  private let ignoresCase: Bool
  private var index: Int
  private var depth = 0

  /// The node for a part of a pattern.
  package static func parse(
    _ bytes: [UInt8], _ range: Range<Int>, ignoresCase: Bool
  ) throws(PatternError) -> PatternNode {
    var parser = PatternParser(bytes, range, ignoresCase)
    let node = try parser.choice()
    guard parser.index == parser.end else { throw parser.error("a ) without its (") }
    return node
  }

  private init(_ bytes: [UInt8], _ range: Range<Int>, _ ignoresCase: Bool) {
    self.bytes = bytes
    self.ignoresCase = ignoresCase
    index = range.lowerBound
    end = range.upperBound
  }

  private var next: UInt8? { index < end ? bytes[index] : nil }

  private func error(_ reason: String) -> PatternError {
    PatternError(offset: index, reason: reason)
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private mutating func choice() throws(PatternError) -> PatternNode {
    var parts = [try sequence()]
    while take("|") { parts.append(try sequence()) }
    return parts.count == 1 ? parts[0] : .choice(parts)
  }

  private mutating func sequence() throws(PatternError) -> PatternNode {
    var parts: [PatternNode] = []
    while let byte = next, byte != UInt8(ascii: "|"), byte != UInt8(ascii: ")") {
      var node = try atom()
      while let (least, most) = try count() { node = .repeated(node, least, most) }
      parts.append(node)
    }
    return .sequence(parts)
  }

  /// The repetition count of the preceding item; `nil` where the pattern has none.
  private mutating func count() throws(PatternError) -> (Int, Int?)? {
    if take("*") { return (0, nil) }
    if take("+") { return (1, nil) }
    if take("?") { return (0, 1) }
    guard take("{") else { return nil }
    let least = try number()
    var most: Int? = least
    if take(",") { most = next == UInt8(ascii: "}") ? nil : try number() }
    guard take("}") else { throw error("a } is missing") }
    if let most, most < least { throw error("the second number is smaller than the first") }
    return (least, most)
  }

  private mutating func number() throws(PatternError) -> Int {
    var value: Int?
    while let byte = next, ByteSet.digits.contains(byte) {
      value = (value ?? 0) * 10 + Int(byte - UInt8(ascii: "0"))
      if value ?? 0 > Self.countLimit {
        throw error("the number is larger than \(Self.countLimit)")
      }
      index += 1
    }
    guard let value else { throw error("a number is missing") }
    return value
  }

  private mutating func atom() throws(PatternError) -> PatternNode {
    guard let byte = next else { throw error("something is missing") }
    switch byte {
    case UInt8(ascii: "("): return try group()
    case UInt8(ascii: "["):
      index += 1
      return try characterClass()
    case UInt8(ascii: "."):
      index += 1
      return .choice([.set(ByteSet([0x0a]).asciiComplement), .beyondASCII])
    case UInt8(ascii: "\\"):
      index += 1
      return try escape()
    case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"), UInt8(ascii: "{"):
      throw error("there is nothing to repeat")
    case UInt8(ascii: "^"), UInt8(ascii: "$"):
      throw error("anchors are not supported; \\^ and \\$ match the characters")
    default:
      index += 1
      guard byte >= 0x80 else { return .set(set(of: byte)) }
      // A character of several bytes is repeated as a whole.
      var parts = [PatternNode.set(ByteSet([byte]))]
      while let tail = next, tail & 0xc0 == 0x80 {
        parts.append(.set(ByteSet([tail])))
        index += 1
      }
      return .sequence(parts)
    }
  }

  private mutating func group() throws(PatternError) -> PatternNode {
    index += 1
    if take("?") {
      guard take(":") else { throw error("of the (? forms, only (?: is supported") }
    }
    depth += 1
    guard depth <= Self.depthLimit else {
      throw error("parentheses nest deeper than \(Self.depthLimit)")
    }
    let node = try choice()
    depth -= 1
    guard take(")") else { throw error("a ) is missing") }
    return node
  }

  private func set(of byte: UInt8) -> ByteSet {
    let set = ByteSet([byte])
    return ignoresCase ? set.anyCase : set
  }

  /// The set for a letter after a backslash, and whether it is negated.
  private static func named(_ byte: UInt8) -> (ByteSet, isNegated: Bool)? {
    switch byte {
    case UInt8(ascii: "d"): (.digits, false)
    case UInt8(ascii: "w"): (.word, false)
    case UInt8(ascii: "s"): (.blanks, false)
    case UInt8(ascii: "D"): (.digits, true)
    case UInt8(ascii: "W"): (.word, true)
    case UInt8(ascii: "S"): (.blanks, true)
    default: nil
    }
  }

  private mutating func escape() throws(PatternError) -> PatternNode {
    guard let byte = next else { throw error("something is missing after the backslash") }
    if let (set, isNegated) = Self.named(byte) {
      index += 1
      return isNegated ? .choice([.set(set.asciiComplement), .beyondASCII]) : .set(set)
    }
    return .set(set(of: try escaped()))
  }

  /// The character for an escape.
  private mutating func escaped() throws(PatternError) -> UInt8 {
    guard let byte = next else { throw error("something is missing after the backslash") }
    switch byte {
    case UInt8(ascii: "b"): throw error("\\b is allowed only at the start and at the end")
    case UInt8(ascii: "n"):
      index += 1
      return 0x0a
    case UInt8(ascii: "r"):
      index += 1
      return 0x0d
    case UInt8(ascii: "t"):
      index += 1
      return 0x09
    case _ where ByteSet.word.contains(byte) || byte >= 0x80:
      throw error("unknown escape")
    default:
      index += 1
      return byte
    }
  }

  private mutating func characterClass() throws(PatternError) -> PatternNode {
    let isNegated = take("^")
    var set = ByteSet()
    var isFirst = true
    while let byte = next, byte != UInt8(ascii: "]") || isFirst {
      isFirst = false
      if take("\\") {
        if let byte = next, let (named, isOpposite) = Self.named(byte) {
          guard !isOpposite else { throw error("negated classes are not supported in brackets") }
          index += 1
          set.formUnion(named)
          continue
        }
        try add(from: try escaped(), to: &set)
      } else {
        guard byte < 0x80 else { throw error("only ASCII is supported in brackets") }
        index += 1
        try add(from: byte, to: &set)
      }
    }
    guard take("]") else { throw error("a ] is missing") }
    if ignoresCase { set = set.anyCase }
    return isNegated ? .choice([.set(set.asciiComplement), .beyondASCII]) : .set(set)
  }

  /// Adds a character, or the range that begins with it.
  private mutating func add(from first: UInt8, to set: inout ByteSet) throws(PatternError) {
    guard next == UInt8(ascii: "-"), index + 1 < end, bytes[index + 1] != UInt8(ascii: "]") else {
      return set.insert(first)
    }
    index += 1
    let last: UInt8
    if take("\\") {
      last = try escaped()
    } else {
      last = bytes[index]
      guard last < 0x80 else { throw error("only ASCII is supported in brackets") }
      index += 1
    }
    guard first <= last else { throw error("the range ends before it begins") }
    set.formUnion(ByteSet(first...last))
  }
}
