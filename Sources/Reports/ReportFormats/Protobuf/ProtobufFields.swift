internal import Bytes

/// The fields of a message of Protocol Buffers, in their order. The reader of the message defines their
/// meaning.
///
/// Source: "Encoding" in the documentation of Protocol Buffers.
struct ProtobufFields: ~Escapable {
  private let span: RawSpan
  private let end: Int
  /// Where the next field begins.
  private(set) var position: Int

  /// - Parameter range: The range of the message in `span`.
  @_lifetime(copy span)
  init(_ span: RawSpan, _ range: Range<Int>) {
    self.span = span
    let range = range.clamped(to: 0..<span.byteCount)
    position = range.lowerBound
    end = range.upperBound
  }

  @_lifetime(copy span)
  init(_ span: RawSpan) { self.init(span, 0..<span.byteCount) }

  struct Field {
    let number: UInt64
    let value: Value

    /// The number; 0 for bytes.
    var unsigned: UInt64 { if case .number(let value) = value { value } else { 0 } }
    /// A number with a sign; 0 for bytes.
    var signed: Int64 { Int64(bitPattern: unsigned) }
    /// The number, if an `Int` can hold it.
    var int: Int? {
      if case .number(let value) = value { Int(exactly: Int64(bitPattern: value)) } else { nil }
    }
    var isTrue: Bool { unsigned != 0 }
    /// The range of the bytes; empty for a number.
    var range: Range<Int> { if case .bytes(let range) = value { range } else { 0..<0 } }
  }

  enum Value {
    case number(UInt64)
    /// Text, bytes or a message: the range in the span.
    case bytes(Range<Int>)
  }

  /// The next field, `nil` at the end of the message.
  ///
  /// - Throws: ``ParseError`` for anything that isn't a message, and for a truncated one.
  @_lifetime(self: copy self)
  mutating func next() throws(ParseError) -> Field? {
    guard position < end else { return nil }
    let start = position
    let key = try readNumber()
    let number = key >> 3
    guard number > 0, number < 1 << 29 else {
      throw error(.invalid("the field number \(number)"), at: start)
    }
    switch key & 7 {
    case 0: return Field(number: number, value: .number(try readNumber()))
    case 1: return Field(number: number, value: .number(try readFixed(8)))
    case 5: return Field(number: number, value: .number(try readFixed(4)))
    case 2:
      let length = try readNumber()
      guard length <= UInt64(end - position) else {
        throw error(
          .truncated(needed: Int(clamping: length), left: end - position), at: position)
      }
      let bytes = position..<position + Int(length)
      position = bytes.upperBound
      return Field(number: number, value: .bytes(bytes))
    default: throw error(.invalid("the wire type \(key & 7)"), at: start)
    }
  }

  /// A number in groups of seven bits, the lowest first; ten bytes at most.
  @_lifetime(self: copy self)
  private mutating func readNumber() throws(ParseError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while shift < 70 {
      guard position < end else { throw error(.truncated(needed: 1, left: 0), at: position) }
      let byte = span.byte(position)
      position += 1
      if shift < 64 { value |= UInt64(byte & 0x7f) &<< shift }
      if byte & 0x80 == 0 { return value }
      shift += 7
    }
    throw error(.invalid("a number of more than ten bytes"), at: position)
  }

  @_lifetime(self: copy self)
  private mutating func readFixed(_ count: Int) throws(ParseError) -> UInt64 {
    guard end - position >= count else {
      throw error(.truncated(needed: count, left: end - position), at: position)
    }
    var value: UInt64 = 0
    for index in 0..<count { value |= UInt64(span.byte(position + index)) &<< UInt64(8 * index) }
    position += count
    return value
  }

  private func error(_ kind: ParseError.Kind, at offset: Int) -> ParseError {
    ParseError(kind, in: "protobuf message", at: offset)
  }
}

extension RawSpan {
  /// The bytes of a short field.
  func protobufBytes(_ range: Range<Int>) -> [UInt8] {
    let bytes = part(range).upTo(64)
    var result: [UInt8] = []
    for index in 0..<bytes.byteCount { result.append(bytes.byte(index)) }
    return result
  }

  /// The text of a field, `nil` for an empty one.
  func protobufText(_ range: Range<Int>) -> String? {
    let text = part(range)
    return text.byteCount > 0 ? text.name : nil
  }
}
