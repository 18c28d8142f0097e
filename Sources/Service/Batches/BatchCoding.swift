internal import Bytes
internal import Identifiers

/// Writes the parts of records; see ``BatchFormat``.
package struct BatchEncoder {
  private(set) var bytes: [UInt8] = []

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func number(_ value: Int) {
    var rest = UInt64(bitPattern: Int64(value))
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func byte(_ value: UInt8) { bytes.append(value) }

  mutating func signed(_ value: Int64) {
    number(Int(truncatingIfNeeded: (value << 1) ^ (value >> 63)))
  }

  mutating func flag(_ value: Bool) { number(value ? 1 : 0) }

  mutating func data(_ value: some Collection<UInt8>) {
    number(value.count)
    bytes += value
  }

  mutating func text(_ value: String) {
    let utf8 = value.utf8
    number(utf8.count)
    bytes += utf8
  }

  mutating func text(_ value: String?) {
    flag(value != nil)
    if let value { text(value) }
  }

  mutating func time(_ value: Timestamp?) {
    flag(value != nil)
    if let value {
      signed(value.seconds)
      number(Int(value.nanoseconds))
    }
  }

  mutating func list<Element>(_ elements: [Element], _ write: (inout BatchEncoder, Element) -> Void)
  {
    number(elements.count)
    for element in elements { write(&self, element) }
  }
}

/// Reads the parts of records and checks every step.
package struct BatchDecoder: ~Escapable {
  private var reader: ByteReader

  @_lifetime(copy span)
  init(_ span: RawSpan, _ structure: StaticString, at base: Int) {
    reader = ByteReader(span, reading: structure, base: base)
  }

  var position: Int { reader.position }
  var isAtEnd: Bool { reader.isAtEnd }

  func error(_ words: String) -> ParseError { reader.error(.invalid(words)) }

  @_lifetime(self: copy self)
  mutating func number(upTo limit: Int = .max) throws(ParseError) -> Int {
    guard let value = Int(exactly: try reader.readULEB128()), value <= limit else {
      throw error("a number that is too large")
    }
    return value
  }

  @_lifetime(self: copy self)
  mutating func signed() throws(ParseError) -> Int64 {
    let value = try reader.readULEB128()
    return Int64(bitPattern: value >> 1) ^ -Int64(value & 1)
  }

  @_lifetime(self: copy self)
  mutating func flag() throws(ParseError) -> Bool { try number(upTo: 1) == 1 }

  @_lifetime(self: copy self)
  mutating func data(count: Int? = nil) throws(ParseError) -> [UInt8] {
    let size = if let count { count } else { try number() }
    let span = try reader.readBytes(size)
    return unsafe span.withUnsafeBytes { unsafe Array($0) }
  }

  @_lifetime(self: copy self)
  mutating func text() throws(ParseError) -> String {
    let size = try number()
    let start = position
    let span = try reader.readBytes(size)
    let text = unsafe span.withUnsafeBytes { unsafe String(validating: $0, as: UTF8.self) }
    guard let text else {
      throw ParseError(.invalid("text that is not UTF-8"), in: "batch", at: start)
    }
    return text
  }

  @_lifetime(self: copy self)
  mutating func optionalText() throws(ParseError) -> String? { try flag() ? text() : nil }

  @_lifetime(self: copy self)
  mutating func time() throws(ParseError) -> Timestamp? {
    guard try flag() else { return nil }
    let seconds = try signed()
    let nanoseconds = try number(upTo: 999_999_999)
    return Timestamp(seconds: seconds, nanoseconds: Int32(nanoseconds))
  }

  /// Returns the number of elements of a list, each of at least one byte.
  @_lifetime(self: copy self)
  mutating func count() throws(ParseError) -> Int { try number(upTo: reader.remaining) }

  /// Returns the texts of a set.
  @_lifetime(self: copy self)
  mutating func texts() throws(ParseError) -> [String] {
    var texts: [String] = []
    for _ in 0..<(try count()) {
      let text = try text()
      try check(texts.last.map { TextOrder.compare($0, text) < 0 })
      texts.append(text)
    }
    return texts
  }

  /// Refuses an element of a set that does not follow the one before. A few bytes that repeat could otherwise take
  /// any amount of memory.
  func check(_ isInOrder: Bool?) throws(ParseError) {
    if isInOrder == false { throw error("a set that is out of order") }
  }
}
