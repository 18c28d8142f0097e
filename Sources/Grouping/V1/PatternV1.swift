/// A pattern of a list: literal bytes, `*` for any, `?` for one, `[A-Z]` and `[0-9]` for one of these.
struct PatternV1: Sendable {
  enum Part: Sendable, Equatable { case byte(UInt8), any, one, capital, digit }

  let parts: [Part]
  /// The bytes before the first part that is none.
  let literal: NameBytes

  init(_ text: Substring) {
    let bytes = NameBytes(text.utf8)
    var parts: [Part] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "*") {
        parts.append(.any)
      } else if bytes[index] == UInt8(ascii: "?") {
        parts.append(.one)
      } else if bytes.has("[A-Z]", at: index) {
        parts.append(.capital)
        index += 4
      } else if bytes.has("[0-9]", at: index) {
        parts.append(.digit)
        index += 4
      } else {
        parts.append(.byte(bytes[index]))
      }
      index += 1
    }
    self.parts = parts
    var literal = NameBytes()
    for case .byte(let byte) in parts.prefix(while: { if case .byte = $0 { true } else { false } })
    {
      literal.append(byte)
    }
    self.literal = literal
  }

  var isLiteral: Bool { literal.count == parts.count }
  /// Whether the literal and then anything is all there is.
  var isPrefix: Bool { literal.count + 1 == parts.count && parts.last == .any }

  /// Whether all of `name` fits.
  ///
  /// - Complexity: O(name × pattern), without recursion.
  func fits(_ name: NameBytes, from start: Int = 0) -> Bool {
    if case .byte(let last)? = parts.last, name.last != last { return false }
    var index = start
    var part = start == 0 ? 0 : literal.count
    var star = -1
    var resume = 0
    while index < name.count {
      if part < parts.count, parts[part] == .any {
        star = part
        resume = index
        part += 1
      } else if part < parts.count, matches(parts[part], name[index]) {
        part += 1
        index += 1
      } else if star >= 0 {
        resume += 1
        index = resume
        part = star + 1
      } else {
        return false
      }
    }
    while part < parts.count, parts[part] == .any { part += 1 }
    return part == parts.count
  }

  private func matches(_ part: Part, _ byte: UInt8) -> Bool {
    switch part {
    case .byte(let expected): byte == expected
    case .one: true
    case .capital: byte &- 0x41 < 26
    case .digit: byte.isDigit
    case .any: false
    }
  }
}
