public import Bytes

/// The lines of a Breakpad symbol file, one after the other.
///
///     var lines = BreakpadLines(bytes)
///     while lines.advance() {
///       var line = lines.line
///       switch line.record() { ... }
///     }
///
/// A line ends with a line feed, before which carriage returns may stand; empty ones are skipped.
public struct BreakpadLines: ~Escapable {
  @usableFromInline let bytes: RawSpan
  @usableFromInline var start = 0
  @usableFromInline var end = 0
  @usableFromInline var next = 0
  @usableFromInline var count = 0

  @inlinable
  @_lifetime(copy bytes)
  public init(_ bytes: RawSpan) { self.bytes = bytes }

  /// The number of the line, from 1.
  @inlinable public var number: Int { count }

  /// Where the line begins in the bytes.
  @inlinable public var offset: Int { start }

  /// Moves to the next line that is not empty; false at the end.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func advance() -> Bool {
    let total = bytes.byteCount
    while next < total {
      start = next
      count &+= 1
      end = Self.lineFeed(in: bytes, from: next)
      next = end &+ 1
      while end > start, bytes.byte(end &- 1) == UInt8(ascii: "\r") { end &-= 1 }
      if end > start { return true }
    }
    start = total
    end = total
    return false
  }

  /// The fields of the line.
  @inlinable
  public var line: BreakpadLine {
    @_lifetime(copy self)
    get { BreakpadLine(bytes, from: start, to: end) }
  }

  /// Where the next line feed stands, or the end.
  @inlinable
  @inline(__always)
  static func lineFeed(in bytes: RawSpan, from start: Int) -> Int {
    var offset = start
    let end = bytes.byteCount
    while end &- offset >= 8 {
      let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
      let other = word ^ 0x0a0a_0a0a_0a0a_0a0a
      let zeros = (other &- 0x0101_0101_0101_0101) & ~other & 0x8080_8080_8080_8080
      if zeros != 0 {
        return offset &+ UInt64(littleEndian: zeros).trailingZeroBitCount / 8
      }
      offset &+= 8
    }
    while offset < end, bytes.byte(offset) != 0x0a { offset &+= 1 }
    return offset
  }
}
