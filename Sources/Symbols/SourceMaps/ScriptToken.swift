internal import Bytes

/// A word or a mark of JavaScript or TypeScript, as far as it is needed to find functions.
struct ScriptToken: BitwiseCopyable {
  enum Kind: UInt8 {
    /// An identifier or a keyword.
    case word
    /// A number, a string, a regular expression, the end of a template.
    case value
    /// One character, or `=>`.
    case mark
    /// `${` of a template.
    case hole
  }

  var kind: Kind
  /// The first byte of a mark.
  var byte: UInt8
  /// Whether a line ends before it.
  var startsLine: Bool
  var start: UInt32
  var count: UInt32

  var isArrow: Bool { kind == .mark && byte == UInt8(ascii: "=") && count == 2 }

  func isMark(_ wanted: Unicode.Scalar) -> Bool {
    kind == .mark && byte == UInt8(ascii: wanted) && count == 1
  }
}

/// Splits a script into tokens. It skips unknown characters: no text is rejected.
struct ScriptLexer: ~Escapable {
  private let text: RawSpan
  private var position = 0
  private(set) var tokens: [ScriptToken] = []
  /// For each open brace, whether it is the hole of a template.
  private var braces: [Bool] = []
  private var startsLine = true

  @_lifetime(copy text)
  init(_ text: RawSpan) { self.text = text }

  /// - Complexity: O(n).
  @_lifetime(self: copy self)
  mutating func run() {
    if text.byteCount > 2, text.byte(0) == UInt8(ascii: "#"), text.byte(1) == UInt8(ascii: "!") {
      skipLine()
    }
    while position < text.byteCount { step() }
  }

  private func at(_ index: Int) -> UInt8 { index < text.byteCount ? text.byte(index) : 0 }

  @_lifetime(self: copy self)
  private mutating func step() {
    let byte = text.byte(position)
    switch byte {
    case 10, 13:
      startsLine = true
      position += 1
    case 0...32: position += 1
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      let start = position
      skipString(byte)
      add(.value, from: start)
    case UInt8(ascii: "`"):
      position += 1
      skipTemplate()
    case UInt8(ascii: "/"): slash()
    case UInt8(ascii: "{"):
      braces.append(false)
      mark()
    case UInt8(ascii: "}"):
      let isHole = braces.popLast() ?? false
      mark()
      if isHole { skipTemplate() }
    case UInt8(ascii: "="):
      if at(position + 1) == UInt8(ascii: ">") { mark(2) } else { mark() }
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      let start = position
      while Self.isWord(at(position)) || at(position) == UInt8(ascii: ".") { position += 1 }
      add(.value, from: start)
    default:
      guard Self.isWord(byte) || byte == UInt8(ascii: "#") else { return mark() }
      let start = position
      position += 1
      while Self.isWord(at(position)) { position += 1 }
      add(.word, from: start)
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }

  private mutating func add(_ kind: ScriptToken.Kind, from start: Int) {
    tokens.append(
      ScriptToken(
        kind: kind, byte: text.byte(start), startsLine: startsLine, start: UInt32(start),
        count: UInt32(position - start)))
    startsLine = false
  }

  @_lifetime(self: copy self)
  private mutating func mark(_ count: Int = 1) {
    position += count
    add(.mark, from: position - count)
  }

  @_lifetime(self: copy self)
  private mutating func skipLine() {
    while position < text.byteCount, text.byte(position) != 10, text.byte(position) != 13 {
      position += 1
    }
  }

  /// A string ends at the end of its line at the latest: an apostrophe in the text of JSX does not begin one.
  @_lifetime(self: copy self)
  private mutating func skipString(_ quote: UInt8) {
    position += 1
    while position < text.byteCount {
      let byte = text.byte(position)
      if byte == 10 { return }
      position += 1
      if byte == quote { return }
      if byte == UInt8(ascii: "\\") { position = min(position + 1, text.byteCount) }
    }
  }

  /// The rest of a template up to its end or the next hole.
  @_lifetime(self: copy self)
  private mutating func skipTemplate() {
    let start = position
    while position < text.byteCount {
      let byte = text.byte(position)
      position += 1
      if byte == UInt8(ascii: "\\") {
        position = min(position + 1, text.byteCount)
      } else if byte == UInt8(ascii: "`") {
        add(.value, from: min(start, position - 1))
        return
      } else if byte == UInt8(ascii: "$"), at(position) == UInt8(ascii: "{") {
        position += 1
        braces.append(true)
        add(.hole, from: position - 2)
        return
      }
    }
  }

  /// A comment, a regular expression or a division.
  @_lifetime(self: copy self)
  private mutating func slash() {
    let start = position
    switch at(position + 1) {
    case UInt8(ascii: "/"): skipLine()
    case UInt8(ascii: "*"):
      position += 2
      while position < text.byteCount {
        let byte = text.byte(position)
        position += 1
        if byte == 10 { startsLine = true }
        if byte == UInt8(ascii: "*"), at(position) == UInt8(ascii: "/") {
          position += 1
          return
        }
      }
    default:
      guard mayBeginExpression, skipExpression() else { return mark() }
      add(.value, from: start)
    }
  }

  /// Whether an operand may follow the last token.
  private var mayBeginExpression: Bool {
    guard let last = tokens.last else { return true }
    switch last.kind {
    case .value: return false
    case .hole: return true
    case .mark:
      return ![UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}")].contains(last.byte)
    case .word:
      let word = text.extracting(Int(last.start)..<Int(last.start + last.count)).text
      return [
        "return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do",
        "instanceof", "await", "yield",
      ].contains(word)
    }
  }

  /// A regular expression, which ends on its line.
  @_lifetime(self: copy self)
  private mutating func skipExpression() -> Bool {
    var index = position + 1
    var isClass = false
    while index < text.byteCount {
      let byte = text.byte(index)
      index += 1
      switch byte {
      case 10, 13: return false
      case UInt8(ascii: "\\"): index += 1
      case UInt8(ascii: "["): isClass = true
      case UInt8(ascii: "]"): isClass = false
      case UInt8(ascii: "/") where !isClass:
        while Self.isWord(at(index)) { index += 1 }
        position = min(index, text.byteCount)
        return true
      default: continue
      }
    }
    return false
  }
}
