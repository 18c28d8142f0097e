internal import Bytes

/// An output buffer for millions of answers.
package struct PrintBuffer: ~Copyable {
  private var bytes = Table<UInt8>()

  package var count: Int { bytes.count }
  package var isEmpty: Bool { bytes.isEmpty }

  package mutating func append(_ byte: UInt8) { bytes.append(byte) }

  package mutating func append(_ text: StaticString) {
    bytes.append(
      contentsOf: Span(
        _unsafeElements: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)))
  }

  package mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { bytes.append(contentsOf: Span(_unsafeElements: $0)) }
  }

  package mutating func append(_ more: [UInt8]) { bytes.append(contentsOf: more.span) }

  package mutating func append(_ more: Span<UInt8>) { bytes.append(contentsOf: more) }

  package mutating func append(decimal number: UInt32) {
    var divisor: UInt32 = 1
    while number / divisor >= 10 { divisor &*= 10 }
    var rest = number
    while divisor > 0 {
      bytes.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest / divisor))
      rest %= divisor
      divisor /= 10
    }
  }

  package mutating func append(hexadecimal number: UInt64) {
    var shift = max(63 - number.leadingZeroBitCount, 0) & ~3
    while shift >= 0 {
      let digit = UInt8(truncatingIfNeeded: number &>> UInt64(shift)) & 15
      bytes.append(digit < 10 ? UInt8(ascii: "0") &+ digit : UInt8(ascii: "a") &- 10 &+ digit)
      shift -= 4
    }
  }

  /// Returns and removes the bytes appended since the last call.
  package mutating func take() -> [UInt8] {
    let taken = bytes.span.withUnsafeBufferPointer { Array($0) }
    bytes.removeAll()
    return taken
  }
}
