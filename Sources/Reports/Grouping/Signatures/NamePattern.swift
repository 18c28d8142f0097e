/// A pattern of a list: literal bytes, `*` for any, `?` for one, `[A-Z]` and `[0-9]` for one of these.
struct NamePattern: Sendable {
  private enum Part: Sendable, Equatable { case byte(UInt8), any, one, capital, digit }

  /// Forms that are tested faster than part by part.
  private enum Shape: Sendable {
    case literal, prefix, ends(NameBytes), contains(NameBytes), parts
  }

  private let shape: Shape
  /// The pattern part by part, if it has no other shape; otherwise empty.
  private let parts: [Part]
  /// The bytes before the first wildcard.
  let literal: NameBytes

  init(_ bytes: NameBytes) {
    let plain = bytes.firstIndex { $0.isWildcard } ?? bytes.count
    if plain == bytes.count {
      (shape, parts, literal) = (.literal, [], bytes)
    } else if plain == bytes.count - 1, bytes[plain] == UInt8(ascii: "*") {
      (shape, parts, literal) = (.prefix, [], NameBytes(bytes[..<plain]))
    } else {
      let parts = Self.parts(of: bytes)
      let count = parts.firstIndex { if case .byte = $0 { false } else { true } } ?? parts.count
      literal = NameBytes(bytes[..<count])
      self.parts = parts
      shape = count == parts.count ? .literal : Self.shape(of: parts)
    }
  }

  private static func parts(of bytes: NameBytes) -> [Part] {
    var parts: [Part] = []
    parts.reserveCapacity(bytes.count)
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
    return parts
  }

  private static func shape(of parts: [Part]) -> Shape {
    guard parts.count > 1, parts[0] == .any else { return .parts }
    let isOpen = parts[parts.count - 1] == .any
    var middle = NameBytes()
    for part in parts[1..<(isOpen ? parts.count - 1 : parts.count)] {
      guard case .byte(let byte) = part else { return .parts }
      middle.append(byte)
    }
    return isOpen ? .contains(middle) : .ends(middle)
  }

  /// The byte that a name must end with, if the pattern begins with a wildcard.
  var lastByte: UInt8? { if case .byte(let byte)? = parts.last { byte } else { nil } }

  /// All bytes that a name must have, if the pattern begins with a wildcard.
  var neededBytes: NameBytes {
    parts.compactMap { if case .byte(let byte) = $0 { byte } else { nil } }
  }

  var isLiteral: Bool { if case .literal = shape { true } else { false } }
  /// Whether the pattern is a literal followed by anything.
  var isPrefix: Bool { if case .prefix = shape { true } else { false } }

  /// Whether all of `name` fits.
  ///
  /// - Complexity: O(name × pattern), without recursion.
  func fits(_ name: NameBytes, from start: Int = 0) -> Bool {
    switch shape {
    case .literal: return name == literal
    case .prefix: return name.starts(with: literal)
    case .ends(let end):
      return name.count >= end.count && name[(name.count - end.count)...].elementsEqual(end)
    case .contains(let middle): return Self.stands(middle, in: name)
    case .parts: if case .byte(let last)? = parts.last, name.last != last { return false }
    }
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

  private static func stands(_ middle: NameBytes, in name: NameBytes) -> Bool {
    guard let first = middle.first else { return true }
    var index = 0
    while index + middle.count <= name.count {
      if name[index] == first, name[index..<(index + middle.count)].elementsEqual(middle) {
        return true
      }
      index += 1
    }
    return false
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

extension UInt8 {
  /// Whether a wildcard may begin with it.
  fileprivate var isWildcard: Bool {
    self == UInt8(ascii: "*") || self == UInt8(ascii: "?") || self == UInt8(ascii: "[")
  }
}
