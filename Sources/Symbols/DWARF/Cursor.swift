internal import Bytes

/// A reading position in a section that remembers failure in place of throwing.
///
/// The loops that meet every entry and every line row test once a turn: a read past ``end`` gives
/// 0, sets ``failed`` and moves to the end, so that each loop that goes on while there are bytes
/// left stops by itself. ``end`` never lies after the section.
struct Cursor: ~Escapable {
  let span: RawSpan
  let isBigEndian: Bool
  private(set) var offset: Int
  private(set) var end: Int
  private(set) var failed = false

  @inline(__always)
  @_lifetime(copy span)
  init(_ span: RawSpan, isBigEndian: Bool, from offset: Int, to end: Int) {
    self.span = span
    self.isBigEndian = isBigEndian
    self.end = min(max(end, 0), span.byteCount)
    self.offset = min(max(offset, 0), self.end)
    if offset < 0 || offset > self.end { failed = true }
  }

  @inline(__always) var isAtEnd: Bool { offset >= end }
  @inline(__always) var remaining: Int { end &- offset }

  @_lifetime(self: copy self)
  @inline(__always)
  mutating func fail() {
    failed = true
    offset = end
  }

  /// Ends the reading at `end`, where that is earlier.
  @_lifetime(self: copy self)
  mutating func limit(to end: Int) {
    if end < self.end { self.end = max(end, offset) }
  }

  @_lifetime(self: copy self)
  @inline(__always)
  mutating func seek(to position: Int) {
    guard position >= 0, position <= end else { return fail() }
    offset = position
  }

  @_lifetime(self: copy self)
  @inline(__always)
  mutating func skip(_ count: Int) {
    guard count >= 0, count <= end &- offset else { return fail() }
    offset &+= count
  }

  @_lifetime(self: copy self)
  @inline(__always)
  mutating func skip(_ count: UInt64) {
    guard count <= UInt64(end &- offset) else { return fail() }
    offset &+= Int(truncatingIfNeeded: count)
  }

  @_lifetime(self: copy self)
  @inline(__always)
  mutating func byte() -> UInt8 {
    guard offset < end else {
      fail()
      return 0
    }
    let value = unsafe span.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    offset &+= 1
    return value
  }

  @_lifetime(self: copy self)
  @inline(__always)
  mutating func u16() -> UInt16 {
    guard end &- offset >= 2 else {
      fail()
      return 0
    }
    let value = unsafe span.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self)
    offset &+= 2
    return isBigEndian ? UInt16(bigEndian: value) : UInt16(littleEndian: value)
  }

  @_lifetime(self: copy self)
  @inline(__always)
  mutating func u32() -> UInt32 {
    guard end &- offset >= 4 else {
      fail()
      return 0
    }
    let value = unsafe span.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self)
    offset &+= 4
    return isBigEndian ? UInt32(bigEndian: value) : UInt32(littleEndian: value)
  }

  @_lifetime(self: copy self)
  @inline(__always)
  mutating func u64() -> UInt64 {
    guard end &- offset >= 8 else {
      fail()
      return 0
    }
    let value = unsafe span.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
    offset &+= 8
    return isBigEndian ? UInt64(bigEndian: value) : UInt64(littleEndian: value)
  }

  /// A number of 1, 2, 3, 4 or 8 bytes.
  @_lifetime(self: copy self)
  @inline(__always)
  mutating func unsigned(size: Int) -> UInt64 {
    switch size {
    case 8: return u64()
    case 4: return UInt64(u32())
    case 2: return UInt64(u16())
    case 1: return UInt64(byte())
    case 3:
      let (first, second, third) = (UInt64(byte()), UInt64(byte()), UInt64(byte()))
      return isBigEndian
        ? first &<< 16 | second &<< 8 | third : first | second &<< 8 | third &<< 16
    default:
      fail()
      return 0
    }
  }

  @_lifetime(self: copy self)
  @inline(__always)
  mutating func uleb() -> UInt64 {
    let first = byte()
    return first < 0x80 ? UInt64(first) : ulebTail(first)
  }

  @_lifetime(self: copy self)
  @inline(never)
  private mutating func ulebTail(_ first: UInt8) -> UInt64 {
    var value = UInt64(first & 0x7f)
    var shift: UInt64 = 7
    while true {
      let byte = byte()
      if shift < 64 { value |= UInt64(byte & 0x7f) &<< shift }
      shift &+= 7
      if byte < 0x80 { return value }
    }
  }

  @_lifetime(self: copy self)
  @inline(__always)
  mutating func sleb() -> Int64 {
    let first = byte()
    // Bit 6 is the sign.
    return first < 0x80 ? Int64(Int8(bitPattern: first &<< 1) &>> 1) : slebTail(first)
  }

  @_lifetime(self: copy self)
  @inline(never)
  private mutating func slebTail(_ first: UInt8) -> Int64 {
    var value = UInt64(first & 0x7f)
    var shift: UInt64 = 7
    while true {
      let byte = byte()
      if shift < 64 { value |= UInt64(byte & 0x7f) &<< shift }
      shift &+= 7
      if byte < 0x80 {
        if byte & 0x40 != 0, shift < 64 { value |= ~0 &<< shift }
        return Int64(bitPattern: value)
      }
    }
  }

  @_lifetime(self: copy self)
  @inline(__always)
  mutating func skipLEB() {
    while offset < end {
      let byte = unsafe span.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
      offset &+= 1
      if byte < 0x80 { return }
    }
    fail()
  }

  @_lifetime(self: copy self)
  @inline(__always)
  mutating func skipString() {
    while offset < end {
      let byte = unsafe span.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
      offset &+= 1
      if byte == 0 { return }
    }
    fail()
  }
}
