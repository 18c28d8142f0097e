/// A pattern of a list: literal bytes, `*` for any, `?` for one, `[A-Z]` and `[0-9]` for one of these.
struct NamePattern: Sendable {
  /// Forms that are tested faster than element by element.
  enum Shape: UInt8, Sendable {
    case literal, prefix, ends, contains, elements
  }

  /// The pattern as it is written.
  let bytes: NameBytes
  let shape: Shape
  /// The number of bytes before the first wildcard.
  let literalCount: Int

  init(_ bytes: NameBytes) {
    self.bytes = bytes
    let wildcard = Self.wildcard(in: bytes, from: 0)
    literalCount = wildcard ?? bytes.count
    guard let wildcard else {
      shape = .literal
      return
    }
    let star = UInt8(ascii: "*")
    if bytes[wildcard] == star, wildcard == bytes.count - 1 {
      shape = .prefix
    } else if wildcard == 0, bytes[0] == star, bytes.count > 1 {
      let next = Self.wildcard(in: bytes, from: 1)
      shape =
        next == nil
        ? .ends : next == bytes.count - 1 && bytes.last == star ? .contains : .elements
    } else {
      shape = .elements
    }
  }

  /// The index of the first wildcard at or after `start`.
  private static func wildcard(in bytes: NameBytes, from start: Int) -> Int? {
    bytes.indices[start...].first { isWildcard(bytes, $0) }
  }

  /// Elements of a pattern: `*`, `?` and `[A-Z]`, or a byte that stands for itself.
  @inline(__always)
  private static func isWildcard(_ bytes: NameBytes, _ index: Int) -> Bool {
    switch bytes[index] {
    case UInt8(ascii: "*"), UInt8(ascii: "?"): true
    case UInt8(ascii: "["): isSet(bytes, index)
    default: false
    }
  }

  private static func isSet(_ bytes: NameBytes, _ index: Int) -> Bool {
    unsafe isSet(bytes.span.bytes, index)
  }

  private static func isSet(_ text: RawSpan, _ index: Int) -> Bool {
    guard text.byteCount - index >= setWidth, text.byte(index) == UInt8(ascii: "["),
      text.byte(index + 2) == UInt8(ascii: "-"), text.byte(index + 4) == UInt8(ascii: "]")
    else { return false }
    let (first, last) = (text.byte(index + 1), text.byte(index + 3))
    return first == UInt8(ascii: "A") && last == UInt8(ascii: "Z")
      || first == UInt8(ascii: "0") && last == UInt8(ascii: "9")
  }

  private static let setWidth = 5

  /// The bytes before the first wildcard.
  var literal: ArraySlice<UInt8> { bytes[..<literalCount] }

  /// All bytes that stand for themselves, and whether the last of them ends the pattern.
  private var ownBytes: (bytes: NameBytes, areLast: Bool) {
    var own = NameBytes()
    var index = 0
    var areLast = false
    while index < bytes.count {
      areLast = !Self.isWildcard(bytes, index)
      if areLast { own.append(bytes[index]) }
      index += Self.isSet(bytes, index) ? Self.setWidth : 1
    }
    return (own, areLast)
  }

  /// The byte that a name must end with, if the pattern says which.
  var lastByte: UInt8? { ownBytes.areLast ? bytes.last : nil }

  /// All bytes that a name must have.
  var neededBytes: NameBytes { ownBytes.bytes }

  /// Whether all of `name` fits.
  ///
  /// - Complexity: O(name × pattern), without recursion.
  func fits(_ name: NameBytes) -> Bool {
    unsafe Self.fits(name, in: bytes.span.bytes, 0..<bytes.count, shape, literalCount: literalCount)
  }

  /// Whether all of `name` fits the pattern that is at `range` of `text`.
  static func fits(
    _ name: NameBytes, in text: RawSpan, _ range: Range<Int>, _ shape: Shape, literalCount: Int
  ) -> Bool {
    switch shape {
    case .literal:
      return name.count == range.count && stands(text, range, in: name, at: 0)
    case .prefix:
      return stands(text, range.prefix(literalCount), in: name, at: 0)
    case .ends:
      return stands(text, range.dropFirst(), in: name, at: name.count - range.count + 1)
    case .contains:
      let middle = range.dropFirst().dropLast()
      guard !middle.isEmpty else { return true }
      var index = 0
      while index + middle.count <= name.count {
        if stands(text, middle, in: name, at: index) { return true }
        index += 1
      }
      return false
    case .elements:
      return stands(text, range.prefix(literalCount), in: name, at: 0)
        && fits(name, from: literalCount, in: text, range.dropFirst(literalCount))
    }
  }

  /// Whether the bytes of `text` at `range` are those of `name` from `start`.
  @inline(__always)
  private static func stands(
    _ text: RawSpan, _ range: Range<Int>, in name: NameBytes, at start: Int
  ) -> Bool {
    guard start >= 0, name.count - start >= range.count else { return false }
    for index in 0..<range.count
    where text.byte(range.lowerBound + index) != name[start + index] { return false }
    return true
  }

  /// Whether `name` fits element by element, from `start`.
  ///
  /// - Complexity: O(name × pattern), without recursion.
  static func fits(
    _ name: NameBytes, from start: Int = 0, in text: RawSpan, _ range: Range<Int>
  ) -> Bool {
    var index = start
    var element = range.lowerBound
    let end = range.upperBound
    var star = -1
    var resume = 0
    while index < name.count {
      if element < end, text.byte(element) == UInt8(ascii: "*") {
        star = element
        resume = index
        element += 1
      } else if element < end, let width = width(text, element, of: name[index]) {
        element += width
        index += 1
      } else if star >= 0 {
        resume += 1
        index = resume
        element = star + 1
      } else {
        return false
      }
    }
    while element < end, text.byte(element) == UInt8(ascii: "*") { element += 1 }
    return element == end
  }

  /// The bytes of the element at `index` if `byte` fits it.
  @inline(__always)
  private static func width(_ text: RawSpan, _ index: Int, of byte: UInt8) -> Int? {
    switch text.byte(index) {
    case UInt8(ascii: "?"): return 1
    case UInt8(ascii: "[") where isSet(text, index):
      let isDigits = text.byte(index + 1) == UInt8(ascii: "0")
      return (isDigits ? byte.isDigit : byte &- 0x41 < 26) ? setWidth : nil
    default: return text.byte(index) == byte ? 1 : nil
    }
  }
}
