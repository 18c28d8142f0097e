internal import Bytes

/// The streams of metadata, little-endian: of an assembly, or of a portable PDB.
///
///     OFFSET  SIZE  FIELD
///          0     4  "BSJB"
///          4     8  versions, reserved
///         12     4  length of the version's text, padded to four bytes
///         16     n  the text
///      16 + n    2  flags
///      18 + n    2  number of streams; for each:
///                     4 offset from "BSJB", 4 size, name with a NUL, padded to four bytes
///
/// Source: ECMA-335, section II.24.2.
struct MetadataRoot: Sendable {
  static let magic: UInt32 = 0x424a_5342

  private let streams: [String: ByteView]
  let strings: ByteView
  let blobs: ByteView
  private let guids: ByteView
  let tables: MetadataTables

  /// - Throws: ``ParseError`` when the bytes are not metadata, or a part lies outside.
  init(parsing view: ByteView) throws(ParseError) {
    guard view.count <= MetadataLimits.bytes else {
      throw ParseError(
        .limit(name: "bytes", value: MetadataLimits.bytes), in: "metadata", at: view.count)
    }
    var reader = ByteReader(view.bytes, reading: "metadata")
    guard (try? reader.read(UInt32.self)) == Self.magic else {
      throw ParseError(.notRecognised, in: "metadata", at: 0)
    }
    try reader.skip(8)
    let length: UInt32 = try reader.read()
    try reader.skip(Int(length))
    try reader.skip(2)
    let count: UInt16 = try reader.read()
    guard count <= MetadataLimits.streams else {
      throw reader.error(.limit(name: "streams", value: MetadataLimits.streams))
    }
    var streams: [String: ByteView] = [:]
    for _ in 0..<count {
      let offset: UInt32 = try reader.read()
      let size: UInt32 = try reader.read()
      let name = try reader.readCString().text
      try reader.skip(min((4 - reader.position % 4) % 4, reader.remaining))
      let stream = try view.slice(at: UInt64(offset), count: UInt64(size), of: "metadata stream")
      if streams[name] == nil { streams[name] = stream }
    }
    self.streams = streams
    strings = streams["#Strings"] ?? .empty
    blobs = streams["#Blob"] ?? .empty
    guids = streams["#GUID"] ?? .empty
    guard let tables = streams["#~"] ?? streams["#-"] else {
      throw ParseError(.invalid("no tables"), in: "metadata", at: 0)
    }
    let others = try streams["#Pdb"].map { (view) throws(ParseError) in try Self.otherRows(view) }
    self.tables = try MetadataTables(parsing: tables, others: others ?? [:])
  }

  /// The stream `#Pdb`: 20 bytes of the id, four of the entry point.
  var debugStream: ByteView? { streams["#Pdb"] }

  /// The rows of the assembly's tables, which a portable PDB points into: a bit for each, then counts.
  private static func otherRows(_ view: ByteView) throws(ParseError) -> [Int: UInt32] {
    var reader = ByteReader(view.bytes, reading: "stream #Pdb")
    try reader.skip(24)
    let present: UInt64 = try reader.read()
    var rows: [Int: UInt32] = [:]
    for table in 0..<MetadataTable.count where present >> UInt64(table) & 1 == 1 {
      rows[table] = try reader.read()
    }
    return rows
  }

  // MARK: Heaps

  /// The text at an offset of the heap of strings.
  func string(_ offset: UInt32) -> String? {
    guard offset < UInt32(clamping: strings.count) else { return nil }
    let tail = strings.clamped(
      Int(offset)..<min(strings.count, Int(offset) + MetadataLimits.textBytes))
    let length = tail.bytes.textLength(from: 0, limit: tail.count)
    return length < tail.count ? tail.clamped(0..<length).text : nil
  }

  /// The bytes at an offset of the heap of blobs.
  func blob(_ offset: UInt32) throws(ParseError) -> ByteView {
    let tail = blobs.clamped(min(Int(offset), blobs.count)..<blobs.count)
    var reader = BlobReader(tail.bytes)
    let count = try reader.readUnsigned()
    return try tail.slice(at: UInt64(reader.position), count: UInt64(count), of: "blob")
  }

  /// The sixteen bytes with a number from 1; `nil` for 0.
  func guid(_ index: UInt32) -> [UInt8]? {
    guard index > 0, UInt64(index) * 16 <= UInt64(guids.count) else { return nil }
    return guids.clamped((Int(index) * 16 - 16)..<(Int(index) * 16)).array
  }
}

/// Reads the numbers of blobs, which take one to four bytes.
///
/// Source: ECMA-335, section II.23.2.
struct BlobReader: ~Escapable {
  private var reader: ByteReader

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan) { reader = ByteReader(bytes, reading: "blob", endianness: .big) }

  var position: Int { reader.position }
  var isAtEnd: Bool { reader.isAtEnd }

  @_lifetime(self: copy self)
  mutating func readByte() throws(ParseError) -> UInt8 { try reader.read() }

  @_lifetime(self: copy self)
  mutating func readUnsigned() throws(ParseError) -> UInt32 { try read().value }

  /// The sign is the lowest bit; the others are the number in two's complement.
  @_lifetime(self: copy self)
  mutating func readSigned() throws(ParseError) -> Int32 {
    let (value, bits) = try read()
    let shifted = Int32(bitPattern: value >> 1)
    return value & 1 == 0 ? shifted : shifted - (1 << Int32(bits - 1))
  }

  @_lifetime(self: copy self)
  private mutating func read() throws(ParseError) -> (value: UInt32, bits: Int) {
    let first: UInt8 = try reader.read()
    if first & 0x80 == 0 { return (UInt32(first), 7) }
    if first & 0xc0 == 0x80 {
      let second: UInt8 = try reader.read()
      return (UInt32(first & 0x3f) << 8 | UInt32(second), 14)
    }
    guard first & 0xe0 == 0xc0 else { throw reader.error(.invalid("a number")) }
    let rest = UInt32(try reader.readUnsigned(size: 3))
    return (UInt32(first & 0x1f) << 24 | rest, 29)
  }
}
