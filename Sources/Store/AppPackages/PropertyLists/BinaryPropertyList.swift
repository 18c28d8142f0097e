internal import Bytes
internal import Identifiers

/// A binary property list: numbered objects, a table of their offsets, and a trailer that describes both.
///
///     THE LAST 32 BYTES, big-endian          OBJECT, by the upper half of its first byte
///      6  1  bytes of an offset              0  null (00), false (08), true (09), fill (0f)
///      7  1  bytes of an object's number     1  integer of 2^n bytes
///      8  8  number of objects               2  real number of 2^n bytes
///     16  8  number of the top object        3  date: seconds since 2001 as a real number
///     24  8  offset of the table             4  n bytes of data
///                                            5  n characters of ASCII; 6 of UTF-16
///                                            8  UID of n + 1 bytes
///                                            a  array, c set: numbers of n objects
///                                            d  dictionary: n keys, then n values
///
/// n is the lower half; where it is 15, an integer with the count follows.
///
/// An object may be referenced several times, so that a small file can expand to a very large value:
/// values and bytes are counted each time.
///
/// Source: CFBinaryPList.c of CoreFoundation.
struct BinaryPropertyList {
  static let magic = Array("bplist0".utf8)
  private static let structure: StaticString = "binary property list"

  private let bytes: ByteView
  private let offsetSize: Int
  private let referenceSize: Int
  private let objectCount: UInt64
  private let table: UInt64
  private var values = 0
  private var textBytes = 0

  static func value(in bytes: ByteView) throws(ParseError) -> PropertyList {
    var list = try BinaryPropertyList(bytes)
    return try list.object(try list.top(), depth: 0)
  }

  private init(_ bytes: ByteView) throws(ParseError) {
    self.bytes = bytes
    guard bytes.count >= 40 else {
      throw ParseError(.truncated(needed: 40, left: bytes.count), in: "binary property list", at: 0)
    }
    var reader = ByteReader(
      bytes.clamped((bytes.count - 32)..<bytes.count).bytes, reading: Self.structure,
      endianness: .big, base: bytes.count - 32)
    try reader.skip(6)
    offsetSize = Int(try reader.read(UInt8.self))
    referenceSize = Int(try reader.read(UInt8.self))
    objectCount = try reader.read()
    try reader.skip(8)
    table = try reader.read()
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else {
      throw reader.error(.invalid("numbers of \(offsetSize) and \(referenceSize) bytes"))
    }
    guard objectCount <= UInt64(bytes.count) else {
      throw reader.error(.invalid("\(objectCount) objects in \(bytes.count) bytes"))
    }
    _ = try bytes.slice(
      at: table, count: objectCount * UInt64(offsetSize), of: "binary property list")
  }

  private func top() throws(ParseError) -> UInt64 {
    try number(at: bytes.count - 16, size: 8)
  }

  /// A big-endian number.
  private func number(at offset: Int, size: Int) throws(ParseError) -> UInt64 {
    let part = try bytes.slice(
      at: UInt64(clamping: offset), count: UInt64(size), of: "binary property list")
    var value: UInt64 = 0
    for index in 0..<size { value = value << 8 | UInt64(part[index]) }
    return value
  }

  private func offset(of object: UInt64) throws(ParseError) -> Int {
    guard object < objectCount else {
      throw ParseError(
        .invalid("object \(object) of \(objectCount)"), in: "binary property list",
        at: Int(clamping: table))
    }
    let entry = Int(table) + Int(object) * offsetSize
    let offset = try number(at: entry, size: offsetSize)
    guard offset >= 8, offset < table else {
      throw ParseError(
        .outOfBounds(offset: offset, count: 1, size: Int(table)), in: "binary property list",
        at: entry)
    }
    return Int(offset)
  }

  private mutating func object(_ index: UInt64, depth: Int) throws(ParseError) -> PropertyList {
    let position = try offset(of: index)
    func invalid(_ reason: String) -> ParseError {
      ParseError(.invalid(reason), in: "binary property list", at: position)
    }
    func limit(_ name: String, _ value: Int) -> ParseError {
      ParseError(.limit(name: name, value: value), in: "binary property list", at: position)
    }
    // A list that contains itself ends here, too.
    guard depth < AppPackageLimits.depth else {
      throw limit("values within values", AppPackageLimits.depth)
    }
    values += 1
    guard values <= AppPackageLimits.values else {
      throw limit("values", AppPackageLimits.values)
    }
    let mark = bytes[position]
    let low = Int(mark & 15)
    switch mark >> 4 {
    case 0:
      switch low {
      case 8: return .boolean(false)
      case 9: return .boolean(true)
      default: return .other
      }
    case 1: return try integer(at: position + 1, power: low)
    case 2: return .real(try real(at: position + 1, power: low))
    case 3:
      let seconds = try real(at: position + 1, power: low)
      // From 2001-01-01 to the years that a Timestamp can represent as a date.
      guard seconds > -6e10, seconds < 2.5e11 else { throw invalid("a date of \(seconds) s") }
      return .date(Timestamp(seconds: Int64(seconds.rounded(.down)) + 978_307_200))
    case 4:
      let (count, start) = try count(low, at: position)
      return .data(try text(at: start, count: count, size: 1).array)
    case 5:
      let (count, start) = try count(low, at: position)
      return .string(try text(at: start, count: count, size: 1).text)
    case 6:
      let (count, start) = try count(low, at: position)
      let text = try text(at: start, count: count, size: 2)
      let units = stride(from: 0, to: text.count, by: 2).map {
        UInt16(text[$0]) << 8 | UInt16(text[$0 + 1])
      }
      return .string(String(decoding: units, as: UTF16.self))
    case 8: return .other
    case 10, 11, 12:
      let (count, start) = try count(low, at: position)
      let references = try references(at: start, count: count)
      var elements: [PropertyList] = []
      for reference in references { elements.append(try object(reference, depth: depth + 1)) }
      return .array(elements)
    case 13:
      let (count, start) = try count(low, at: position)
      let keys = try references(at: start, count: count)
      let objects = try references(at: start + keys.count * referenceSize, count: count)
      var members: [String: PropertyList] = [:]
      for (key, value) in zip(keys, objects) {
        guard case .string(let name) = try object(key, depth: depth + 1) else {
          throw invalid("a key that is not text")
        }
        guard members.updateValue(try object(value, depth: depth + 1), forKey: name) == nil else {
          throw invalid("the key \(name) twice")
        }
      }
      return .dictionary(members)
    default: throw invalid("an object of kind \(mark.hexadecimal)")
    }
  }

  private func integer(at offset: Int, power: Int) throws(ParseError) -> PropertyList {
    switch power {
    // Only integers of eight bytes are signed.
    case 0...2: return .integer(Int64(try number(at: offset, size: 1 << power)))
    case 3: return .integer(Int64(bitPattern: try number(at: offset, size: 8)))
    case 4:
      let high = try number(at: offset, size: 8)
      let low = try number(at: offset + 8, size: 8)
      if high == 0 { return .unsigned(low) }
      if high == .max, low >> 63 == 1 { return .integer(Int64(bitPattern: low)) }
      return .other
    default:
      throw ParseError(
        .invalid("an integer of 2^\(power) bytes"), in: "binary property list", at: offset)
    }
  }

  private func real(at offset: Int, power: Int) throws(ParseError) -> Double {
    switch power {
    case 2: Double(Float(bitPattern: UInt32(try number(at: offset, size: 4))))
    case 3: Double(bitPattern: try number(at: offset, size: 8))
    default:
      throw ParseError(
        .invalid("a real number of 2^\(power) bytes"), in: "binary property list", at: offset)
    }
  }

  /// The number of elements in an object, and the offset of the first.
  private func count(_ low: Int, at position: Int) throws(ParseError) -> (count: Int, start: Int) {
    guard low == 15 else { return (low, position + 1) }
    let mark = try number(at: position + 1, size: 1)
    guard mark >> 4 == 1, mark & 15 <= 3 else {
      throw ParseError(
        .invalid("a count that is not an integer"), in: "binary property list", at: position)
    }
    let size = 1 << Int(mark & 15)
    let count = try number(at: position + 2, size: size)
    // Each element takes at least one byte.
    guard count <= UInt64(bytes.count) else {
      throw ParseError(
        .outOfBounds(offset: UInt64(position), count: count, size: bytes.count),
        in: "binary property list", at: position)
    }
    return (Int(count), position + 2 + size)
  }

  private mutating func text(
    at start: Int, count: Int, size: Int
  ) throws(ParseError) -> ByteView {
    let text = try bytes.slice(
      at: UInt64(start), count: UInt64(count * size), of: "binary property list")
    textBytes += text.count
    guard textBytes <= AppPackageLimits.textBytes else {
      throw ParseError(
        .limit(name: "bytes of text", value: AppPackageLimits.textBytes),
        in: "binary property list", at: start)
    }
    return text
  }

  private func references(at start: Int, count: Int) throws(ParseError) -> [UInt64] {
    guard count <= AppPackageLimits.values else {
      throw ParseError(
        .limit(name: "values", value: AppPackageLimits.values), in: "binary property list",
        at: start)
    }
    var references: [UInt64] = []
    references.reserveCapacity(count)
    for index in 0..<count {
      references.append(try number(at: start + index * referenceSize, size: referenceSize))
    }
    return references
  }
}
