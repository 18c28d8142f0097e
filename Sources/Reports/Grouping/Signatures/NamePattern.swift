/// A pattern of a list: literal bytes, `*` for any, `?` for one, `[A-Z]` and `[0-9]` for one of these.
struct NamePattern: Sendable {
  private enum PatternElement: Sendable, Equatable { case byte(UInt8), any, one, capital, digit }

  /// Forms that are tested faster than element by element.
  private enum Shape: Sendable {
    case literal, prefix, ends(NameBytes), contains(NameBytes), elements
  }

  private let shape: Shape
  /// The elements of the pattern, if it has no other shape; otherwise empty.
  private let elements: [PatternElement]
  /// The bytes before the first wildcard.
  let literal: NameBytes

  init(_ bytes: NameBytes) {
    let plain = bytes.firstIndex { $0.isWildcard } ?? bytes.count
    if plain == bytes.count {
      (shape, elements, literal) = (.literal, [], bytes)
    } else if plain == bytes.count - 1, bytes[plain] == UInt8(ascii: "*") {
      (shape, elements, literal) = (.prefix, [], NameBytes(bytes[..<plain]))
    } else {
      let elements = Self.elements(of: bytes)
      let count =
        elements.firstIndex { if case .byte = $0 { false } else { true } } ?? elements.count
      literal = NameBytes(bytes[..<count])
      self.elements = elements
      shape = count == elements.count ? .literal : Self.shape(of: elements)
    }
  }

  private static func elements(of bytes: NameBytes) -> [PatternElement] {
    var elements: [PatternElement] = []
    elements.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "*") {
        elements.append(.any)
      } else if bytes[index] == UInt8(ascii: "?") {
        elements.append(.one)
      } else if bytes.has("[A-Z]", at: index) {
        elements.append(.capital)
        index += 4
      } else if bytes.has("[0-9]", at: index) {
        elements.append(.digit)
        index += 4
      } else {
        elements.append(.byte(bytes[index]))
      }
      index += 1
    }
    return elements
  }

  private static func shape(of elements: [PatternElement]) -> Shape {
    guard elements.count > 1, elements[0] == .any else { return .elements }
    let isOpen = elements[elements.count - 1] == .any
    var middle = NameBytes()
    for element in elements[1..<(isOpen ? elements.count - 1 : elements.count)] {
      guard case .byte(let byte) = element else { return .elements }
      middle.append(byte)
    }
    return isOpen ? .contains(middle) : .ends(middle)
  }

  /// The byte that a name must end with, if the pattern begins with a wildcard.
  var lastByte: UInt8? { if case .byte(let byte)? = elements.last { byte } else { nil } }

  /// All bytes that a name must have, if the pattern begins with a wildcard.
  var neededBytes: NameBytes {
    elements.compactMap { if case .byte(let byte) = $0 { byte } else { nil } }
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
    case .elements: if case .byte(let last)? = elements.last, name.last != last { return false }
    }
    var index = start
    var element = start == 0 ? 0 : literal.count
    var star = -1
    var resume = 0
    while index < name.count {
      if element < elements.count, elements[element] == .any {
        star = element
        resume = index
        element += 1
      } else if element < elements.count, matches(elements[element], name[index]) {
        element += 1
        index += 1
      } else if star >= 0 {
        resume += 1
        index = resume
        element = star + 1
      } else {
        return false
      }
    }
    while element < elements.count, elements[element] == .any { element += 1 }
    return element == elements.count
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

  private func matches(_ element: PatternElement, _ byte: UInt8) -> Bool {
    switch element {
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
