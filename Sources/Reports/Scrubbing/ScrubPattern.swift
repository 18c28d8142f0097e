internal import Patterns

/// A text to search for, with its context before and after:
///
///     (?i)\bpassword=\K[^&\s]+(?=&)
///
/// Text matched before `\K` is kept, text after it is replaced. `\b` at the start and at the end requires
/// that no letter, digit or underscore is there; `(?=x)` at the end that one of certain characters follows.
/// `(?i)` at the beginning ignores case.
/// follows. `(?i)` before everything makes capitals and small letters the same.
struct ScrubPattern: Sendable {
  let before: PatternNode?
  let meant: PatternNode
  /// Whether the byte before must not be one of a word.
  let startsWord: Bool
  /// The set of bytes of which one must follow; if `end` is `true`, the end of the text will do too.
  let follower: (set: ByteSet, end: Bool)?

  /// - Throws: ``PatternError``, also if the pattern would match an empty text.
  init(_ text: String) throws(PatternError) {
    let bytes = Array(text.utf8)
    var start = 0
    var end = bytes.count
    let ignoresCase = bytes.starts(with: "(?i)".utf8)
    if ignoresCase { start = 4 }
    startsWord = bytes[start...].starts(with: "\\b".utf8)
    if startsWord { start += 2 }
    var follower: (set: ByteSet, end: Bool)?
    let positions = Self.positions(in: bytes, start..<end)
    if let last = positions.escapes.last, last.letter == UInt8(ascii: "b"), last.offset + 2 == end {
      var set = ByteSet.word.asciiComplement
      set.formUnion(ByteSet(0x80...0xff))
      follower = (set, true)
      end -= 2
    } else if let open = positions.lookAhead {
      guard bytes[end - 1] == UInt8(ascii: ")"),
        let set = Self.oneOf(
          try PatternParser.parse(bytes, (open + 3)..<(end - 1), ignoresCase: ignoresCase))
      else {
        throw PatternError(
          offset: open, reason: "(?=x) is allowed only at the end, for one character")
      }
      follower = (set, false)
      end = open
    }
    self.follower = follower
    if let cut = positions.escapes.first(where: { $0.letter == UInt8(ascii: "K") })?.offset {
      before = try PatternParser.parse(bytes, start..<cut, ignoresCase: ignoresCase)
      start = cut + 2
    } else {
      before = nil
    }
    meant = try PatternParser.parse(bytes, start..<max(start, end), ignoresCase: ignoresCase)
    guard !meant.fitsNothing else {
      throw PatternError(offset: start, reason: "it would fit where nothing is")
    }
  }

  /// The character after each backslash, and where a lookahead begins, outside brackets.
  private static func positions(
    in bytes: [UInt8], _ range: Range<Int>
  ) -> (escapes: [(offset: Int, letter: UInt8)], lookAhead: Int?) {
    var escapes: [(offset: Int, letter: UInt8)] = []
    var lookAhead: Int?
    var isInBrackets = false
    var index = range.lowerBound
    while index < range.upperBound {
      switch bytes[index] {
      case UInt8(ascii: "\\"):
        if !isInBrackets, index + 1 < range.upperBound { escapes.append((index, bytes[index + 1])) }
        index += 1
      case UInt8(ascii: "["): isInBrackets = true
      case UInt8(ascii: "]"): isInBrackets = false
      case UInt8(ascii: "(") where !isInBrackets:
        if lookAhead == nil, bytes[index...].starts(with: "(?=".utf8) { lookAhead = index }
      default: break
      }
      index += 1
    }
    return (escapes, lookAhead)
  }

  private static func oneOf(_ node: PatternNode) -> ByteSet? {
    switch node {
    case .set(let set): set
    case .sequence(let parts) where parts.count == 1: oneOf(parts[0])
    default: nil
    }
  }
}
