/// The bytes of a cache; reads outside them give 0.
struct CacheBytes: ~Escapable {
  private let span: RawSpan

  @_lifetime(copy span)
  init(_ span: RawSpan) { self.span = span }

  @inline(__always)
  func byte(at offset: Int) -> UInt8 {
    guard offset >= 0, offset < span.byteCount else { return 0 }
    return unsafe span.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
  }

  @inline(__always)
  func number(at offset: Int) -> UInt32 {
    guard offset >= 0, offset <= span.byteCount &- 4 else { return 0 }
    return UInt32(
      littleEndian: unsafe span.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// The varint at `offset`, which moves behind it; at most five bytes.
  @inline(__always)
  func varint(at offset: inout Int) -> UInt32 {
    let first = byte(at: offset)
    offset &+= 1
    if first < 0x80 { return UInt32(first) }
    var value = UInt32(first & 0x7f)
    var shift: UInt32 = 7
    while shift < 35 {
      let byte = byte(at: offset)
      offset &+= 1
      value |= UInt32(byte & 0x7f) &<< shift
      if byte < 0x80 { break }
      shift &+= 7
    }
    return value
  }

  @inline(__always)
  func foldedVarint(at offset: inout Int) -> UInt32 {
    let folded = varint(at: &offset)
    return folded &>> 1 ^ (0 &- (folded & 1))
  }
}
