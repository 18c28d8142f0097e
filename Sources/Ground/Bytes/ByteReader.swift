/// The order of the bytes in a number.
public enum Endianness: Sendable {
  case little, big
}

/// A cursor over borrowed bytes that checks every step.
///
/// A reader lives inside one function; anything needed later is kept as an offset or a
/// ``ByteView``. It carries the name of the structure that it reads, for errors.
public struct ByteReader: ~Escapable {
  @usableFromInline let span: RawSpan
  /// Where `span` begins in the input, in bytes; only for the offsets in errors.
  @usableFromInline let base: Int
  public let endianness: Endianness
  public let structure: StaticString
  @usableFromInline var offset: Int
  /// The next byte to be read, from the start of the borrowed bytes.
  @inlinable public var position: Int { offset }

  /// - Parameters:
  ///   - span: The bytes to read.
  ///   - structure: The name of the structure that is read, for errors.
  ///   - base: Where `span` begins in the input, in bytes.
  @inlinable
  @_lifetime(copy span)
  public init(
    _ span: RawSpan, reading structure: StaticString, endianness: Endianness = .little,
    base: Int = 0
  ) {
    self.span = span
    self.structure = structure
    self.endianness = endianness
    self.base = base
    offset = 0
  }

  @inlinable public var count: Int { span.byteCount }
  /// How many bytes are still to be read.
  @inlinable public var remaining: Int { span.byteCount &- position }
  @inlinable public var isAtEnd: Bool { position >= span.byteCount }

  @inline(never)
  @usableFromInline
  func truncated(needed: Int) -> ParseError {
    ParseError(
      .truncated(needed: needed, left: remaining), in: structure.description, at: base &+ position)
  }

  /// An error in this reader's structure at its position.
  @inline(never)
  public func error(_ kind: ParseError.Kind) -> ParseError {
    ParseError(kind, in: structure.description, at: base &+ position)
  }

  /// The next number, in the reader's byte order.
  ///
  /// - Throws: ``ParseError`` at the end of the bytes.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func read<T: FixedWidthInteger & BitwiseCopyable>(
    _: T.Type = T.self
  ) throws(ParseError) -> T {
    let size = MemoryLayout<T>.size
    guard remaining >= size else { throw truncated(needed: size) }
    let value = unsafe span.unsafeLoadUnaligned(fromByteOffset: position, as: T.self)
    offset &+= size
    return endianness == .little ? T(littleEndian: value) : T(bigEndian: value)
  }

  /// The next number of `size` bytes (1, 2, 3, 4 or 8), zero-extended.
  ///
  /// - Throws: ``ParseError`` at the end of the bytes or for another size.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func readUnsigned(size: Int) throws(ParseError) -> UInt64 {
    switch size {
    case 1: return UInt64(try read(UInt8.self))
    case 2: return UInt64(try read(UInt16.self))
    case 4: return UInt64(try read(UInt32.self))
    case 8: return try read(UInt64.self)
    case 3:
      let bytes = (
        UInt64(try read(UInt8.self)), UInt64(try read(UInt8.self)), UInt64(try read(UInt8.self))
      )
      return endianness == .little
        ? bytes.0 | bytes.1 << 8 | bytes.2 << 16 : bytes.2 | bytes.1 << 8 | bytes.0 << 16
    default: throw error(.invalid("a number of \(size) bytes"))
    }
  }

  /// The next number in unsigned LEB128; bits past the 64th are refused.
  ///
  /// Source: DWARF 5, section 7.6.
  ///
  /// - Throws: ``ParseError`` at the end of the bytes or when the value needs more than 64 bits.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func readULEB128() throws(ParseError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      guard position < span.byteCount else { throw truncated(needed: 1) }
      let byte = unsafe span.unsafeLoad(fromByteOffset: position, as: UInt8.self)
      offset &+= 1
      let bits = UInt64(byte & 0x7f)
      // Producers pad with zero groups, so a long encoding of a small number is valid.
      if shift < 64 {
        if shift == 63 && bits > 1 { throw error(.invalid("LEB128 over 64 bits")) }
        value |= bits &<< shift
      } else if bits != 0 {
        throw error(.invalid("LEB128 over 64 bits"))
      }
      if byte & 0x80 == 0 { return value }
      shift &+= 7
    }
  }

  /// The next number in signed LEB128; bits past the 64th are dropped.
  ///
  /// Source: DWARF 5, section 7.6.
  ///
  /// - Throws: ``ParseError`` at the end of the bytes.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func readSLEB128() throws(ParseError) -> Int64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      guard position < span.byteCount else { throw truncated(needed: 1) }
      let byte = unsafe span.unsafeLoad(fromByteOffset: position, as: UInt8.self)
      offset &+= 1
      if shift < 64 { value |= UInt64(byte & 0x7f) &<< shift }
      shift &+= 7
      if byte & 0x80 == 0 {
        if byte & 0x40 != 0 && shift < 64 { value |= ~0 &<< shift }
        return Int64(bitPattern: value)
      }
    }
  }

  /// The next `count` bytes.
  ///
  /// - Throws: ``ParseError`` when fewer are left.
  @inlinable
  @_lifetime(copy self)
  public mutating func readBytes(_ count: Int) throws(ParseError) -> RawSpan {
    guard count >= 0, remaining >= count else { throw truncated(needed: count) }
    let bytes = span.extracting(position..<(position &+ count))
    offset &+= count
    return bytes
  }

  /// The bytes up to the next NUL, which is consumed but left out.
  ///
  /// - Throws: ``ParseError`` when no NUL follows.
  /// - Complexity: O(length).
  @inlinable
  @_lifetime(copy self)
  public mutating func readCString() throws(ParseError) -> RawSpan {
    var end = position
    while end < span.byteCount {
      if unsafe span.unsafeLoad(fromByteOffset: end, as: UInt8.self) == 0 {
        let bytes = span.extracting(position..<end)
        offset = end &+ 1
        return bytes
      }
      end &+= 1
    }
    throw error(.invalid("text without a NUL"))
  }

  /// Advances by `count` bytes.
  ///
  /// - Throws: ``ParseError`` when fewer are left.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func skip(_ count: Int) throws(ParseError) {
    guard count >= 0, remaining >= count else { throw truncated(needed: count) }
    offset &+= count
  }

  /// Moves to `position`, counted from the start of the borrowed bytes.
  ///
  /// - Throws: ``ParseError`` when it is past the end.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func seek(to position: Int) throws(ParseError) {
    guard position >= 0, position <= span.byteCount else {
      throw error(
        .outOfBounds(offset: UInt64(clamping: position), count: 0, size: span.byteCount))
    }
    offset = position
  }

  /// Reads a number that must be `value`.
  ///
  /// - Throws: ``ParseError`` when it differs or the bytes end.
  @inlinable
  @_lifetime(self: copy self)
  public mutating func expect<T: FixedWidthInteger & BitwiseCopyable>(
    _ value: T
  ) throws(ParseError) {
    let found: T = try read()
    guard found == value else {
      offset &-= MemoryLayout<T>.size
      throw error(.invalid("\(found.hexadecimal) instead of \(value.hexadecimal)"))
    }
  }
}

extension RawSpan {
  /// The bytes as text; invalid UTF-8 is replaced by U+FFFD.
  ///
  /// - Complexity: O(n).
  public var text: String { unsafe withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) } }
}

extension [UInt8] {
  /// - Complexity: O(n) of `bytes` on average.
  public mutating func append(contentsOf bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }
}
