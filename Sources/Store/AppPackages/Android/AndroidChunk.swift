internal import Bytes

/// A chunk of a binary Android resource file: a header, followed by the data of its type.
///
///     OFFSET  SIZE  FIELD
///          0     2  type
///          2     2  size of the header
///          4     4  size of the whole chunk, header included
///
/// Source: ResChunk_header in ResourceTypes.h of androidfw.
struct AndroidChunk {
  static let stringPool: UInt16 = 0x0001
  static let table: UInt16 = 0x0002
  static let document: UInt16 = 0x0003
  static let startElement: UInt16 = 0x0102
  static let endElement: UInt16 = 0x0103
  static let attributeNumbers: UInt16 = 0x0180
  static let package: UInt16 = 0x0200
  static let type: UInt16 = 0x0201

  let type: UInt16
  /// Offset of the chunk in the file.
  let offset: Int
  /// The header, and the whole chunk.
  let head: ByteView
  let bytes: ByteView

  /// The bytes after the header.
  var body: ByteView { bytes.clamped(head.count..<bytes.count) }
  var bodyOffset: Int { offset + head.count }

  /// Reads the chunk at `start` of `view`, which begins at offset `base` of the file.
  init(in view: ByteView, at start: Int, base: Int) throws(ParseError) {
    var reader = ByteReader(
      view.clamped(start..<view.count).bytes, reading: "resource chunk", base: base + start)
    type = try reader.read()
    let headSize: UInt16 = try reader.read()
    let size: UInt32 = try reader.read()
    guard headSize >= 8, Int(headSize) <= Int(size), Int(size) <= view.count - start else {
      throw reader.error(.invalid("a chunk of \(size) bytes with a head of \(headSize)"))
    }
    offset = base + start
    bytes = view.clamped(start..<(start + Int(size)))
    head = bytes.clamped(0..<Int(headSize))
  }

  /// The consecutive chunks in `view`, which begins at offset `base` of the file.
  static func all(in view: ByteView, base: Int) throws(ParseError) -> [AndroidChunk] {
    var chunks: [AndroidChunk] = []
    var start = 0
    while view.count - start >= 8 {
      let chunk = try AndroidChunk(in: view, at: start, base: base)
      chunks.append(chunk)
      start += chunk.bytes.count
      guard chunks.count <= AppPackageLimits.values else {
        throw ParseError(
          .limit(name: "chunks", value: AppPackageLimits.values), in: "resources", at: base + start)
      }
    }
    return chunks
  }
}

/// The string pool of a resource file.
///
///     OFFSET  SIZE  FIELD, after the header of a chunk
///          8     4  number of strings
///         12     4  number of styles
///         16     4  flags; 0x100: UTF-8, otherwise UTF-16
///         20     4  offset of the strings in the chunk
///         24     4  offset of the styles
///         28        offset of each string, 4 bytes each
///
/// Each string is preceded by its length in characters, in one unit or, where its highest bit is set, in two.
/// In UTF-8 the length in bytes follows.
///
/// Source: ResStringPool_header in ResourceTypes.h of androidfw.
struct AndroidStrings {
  private let chunk: ByteView
  private let base: Int
  let count: Int
  private let isUTF8: Bool
  private let start: Int

  init(_ chunk: AndroidChunk) throws(ParseError) {
    self.chunk = chunk.bytes
    base = chunk.offset
    var reader = ByteReader(chunk.bytes.bytes, reading: "string pool", base: chunk.offset)
    try reader.skip(8)
    let count: UInt32 = try reader.read()
    try reader.skip(4)
    let flags: UInt32 = try reader.read()
    let start: UInt32 = try reader.read()
    let (end, overflow) = Int(count).multipliedReportingOverflow(by: 4)
    guard !overflow, end <= chunk.bytes.count - chunk.head.count, Int(start) <= chunk.bytes.count
    else { throw reader.error(.invalid("\(count) texts")) }
    headCount = chunk.head.count
    self.count = Int(count)
    isUTF8 = flags & 0x100 != 0
    self.start = Int(start)
  }

  private let headCount: Int

  /// The string at an index; `nil` for the index that means no string, and for a string that is too long to
  /// be a name, a version or a path.
  func text(_ index: UInt32) throws(ParseError) -> String? {
    guard index != .max else { return nil }
    var reader = ByteReader(chunk.bytes, reading: "string pool", base: base)
    guard index < UInt32(count) else {
      throw reader.error(.invalid("text \(index) of \(count)"))
    }
    try reader.seek(to: headCount + 4 * Int(index))
    let offset: UInt32 = try reader.read()
    try reader.seek(to: start.addingClamped(Int(offset)))
    if isUTF8 {
      _ = try Self.shortLength(&reader)
      let length = try Self.shortLength(&reader)
      guard length <= AppPackageLimits.resourceText else { return nil }
      return try reader.readBytes(length).text
    }
    var length = Int(try reader.read(UInt16.self))
    if length & 0x8000 != 0 { length = (length & 0x7fff) << 16 | Int(try reader.read(UInt16.self)) }
    guard length <= AppPackageLimits.resourceText else { return nil }
    var units: [UInt16] = []
    for _ in 0..<length { units.append(try reader.read()) }
    return String(decoding: units, as: UTF16.self)
  }

  private static func shortLength(_ reader: inout ByteReader) throws(ParseError) -> Int {
    let first = Int(try reader.read(UInt8.self))
    guard first & 0x80 != 0 else { return first }
    return (first & 0x7f) << 8 | Int(try reader.read(UInt8.self))
  }
}

/// A value in a resource or attribute.
///
///     OFFSET  SIZE  FIELD
///          0     2  size, 8
///          2     1  0
///          3     1  type
///          4     4  data
///
/// Source: Res_value in ResourceTypes.h of androidfw.
enum AndroidTypedValue {
  private static let reference: UInt8 = 1
  private static let string: UInt8 = 3
  private static let dynamicReference: UInt8 = 7
  private static let decimal: UInt8 = 0x10
  private static let boolean: UInt8 = 0x12

  static func value(
    type: UInt8, data: UInt32, _ strings: AndroidStrings?
  ) throws(ParseError) -> AndroidValue {
    switch type {
    case reference, dynamicReference: .reference(data)
    case string: try strings?.text(data).map { .string($0) } ?? .other
    case decimal...boolean: .integer(data)
    default: .other
    }
  }
}
