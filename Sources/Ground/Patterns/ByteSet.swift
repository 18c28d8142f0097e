/// A set of bytes.
package struct ByteSet: Hashable, Sendable {
  private var low: (UInt64, UInt64) = (0, 0)
  private var high: (UInt64, UInt64) = (0, 0)

  package init() {}

  package init(_ bytes: some Sequence<UInt8>) { for byte in bytes { insert(byte) } }

  package init(_ text: StaticString) { self.init(text.description.utf8) }

  package func contains(_ byte: UInt8) -> Bool {
    let bit: UInt64 = 1 << UInt64(byte & 63)
    return switch byte >> 6 {
    case 0: low.0 & bit != 0
    case 1: low.1 & bit != 0
    case 2: high.0 & bit != 0
    default: high.1 & bit != 0
    }
  }

  package mutating func insert(_ byte: UInt8) {
    let bit: UInt64 = 1 << UInt64(byte & 63)
    switch byte >> 6 {
    case 0: low.0 |= bit
    case 1: low.1 |= bit
    case 2: high.0 |= bit
    default: high.1 |= bit
    }
  }

  package mutating func formUnion(_ other: ByteSet) {
    low.0 |= other.low.0
    low.1 |= other.low.1
    high.0 |= other.high.0
    high.1 |= other.high.1
  }

  /// The ASCII characters that are not in it.
  package var asciiComplement: ByteSet {
    var result = ByteSet()
    result.low = (~low.0, ~low.1)
    return result
  }

  /// With the other case of each letter.
  package var anyCase: ByteSet {
    var result = self
    for byte in UInt8(ascii: "a")...UInt8(ascii: "z") {
      if contains(byte) { result.insert(byte - 32) }
      if contains(byte - 32) { result.insert(byte) }
    }
    return result
  }

  package static func == (one: ByteSet, other: ByteSet) -> Bool {
    one.low == other.low && one.high == other.high
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(low.0)
    hasher.combine(low.1)
    hasher.combine(high.0)
    hasher.combine(high.1)
  }

  package static let digits = ByteSet(UInt8(ascii: "0")...UInt8(ascii: "9"))
  package static let blanks = ByteSet([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20])
  /// The characters of names: letters, digits and the underscore.
  package static let word: ByteSet = {
    var set = digits
    for byte in UInt8(ascii: "a")...UInt8(ascii: "z") {
      set.insert(byte)
      set.insert(byte - 32)
    }
    set.insert(UInt8(ascii: "_"))
    return set
  }()
}
