public import Bytes
internal import Compression

/// The members of a zip file in memory, each unpacked when it is asked for.
///
///     END OF CENTRAL DIRECTORY     MEMBER OF THE DIRECTORY      HEADER BEFORE THE DATA
///      0  4  "PK" 5 6               0  4  "PK" 1 2               0  4  "PK" 3 4
///     10  2  members                8  2  flags; 1: encrypted   26  2  length of the name
///     12  4  size of the directory 10  2  0 stored, 8 deflate   28  2  length of what follows
///     16  4  where it begins       16  4  CRC-32                30     the name
///     20  2  length of a comment   20  4  size in the file
///                                  24  4  size unpacked
///                                  28  2  length of the name, 30 of extra fields, 32 of a comment
///                                  42  4  where its header begins
///                                  46     the name
///
/// A file of more than 4 GiB or 65,534 members has a second end record ("PK" 6 6), which a locator
/// ("PK" 6 7) before the first one points at, and extra fields of type 1 instead of numbers that
/// are all ones. Bytes before the first member count in no offset or in all.
///
/// Source: PKWARE, APPNOTE.TXT 6.3.9, sections 4.3.7, 4.3.12 to 4.3.16 and 4.5.3.
public struct ZipFile: Sendable {
  public struct Member: Sendable {
    /// Invalid UTF-8 is replaced.
    public var name: String
    /// The name as it is in the directory.
    var nameBytes: ByteView
    var flags: UInt16
    var method: UInt16
    var checksum: UInt32
    /// In bytes, in the file and unpacked.
    public var storedSize: UInt64
    public var size: UInt64
    var header: UInt64

    /// Whether it is encrypted with a password.
    public var isEncrypted: Bool { flags & 1 != 0 }
    public var isFolder: Bool { name.hasSuffix("/") }
    /// Whether it is stored uncompressed.
    public var isStored: Bool { method == 0 }
  }

  public let members: [Member]
  let bytes: ByteView
  /// The distance to add to offsets.
  let base: UInt64
  /// The offset of the directory, including bytes before the first member.
  let directoryStart: UInt64
  /// The offset of the end record, and whether its numbers and those of the second one differ.
  let end: Int
  let hasTwoEnds: Bool
  /// Bytes of the directory, and those after its last member.
  let directoryBytes: Int
  let directoryRest: Int

  static let structure = "zip file"

  /// Reads the directory.
  ///
  /// - Parameter limit: The most members.
  /// - Throws: ``ParseError`` for bytes that are not a zip file, and for a damaged directory.
  public init(parsing bytes: ByteView, limit: Int) throws(ParseError) {
    let end = try Self.endRecord(in: bytes)
    var reader = ByteReader(
      bytes.clamped(end..<bytes.count).bytes, reading: "zip file", base: end)
    try reader.skip(10)
    var count = UInt64(try reader.read(UInt16.self))
    var size = UInt64(try reader.read(UInt32.self))
    var offset = UInt64(try reader.read(UInt32.self))
    var directoryEnd = UInt64(end)
    var hasTwoEnds = false
    if let large = try Self.largeEndRecord(in: bytes, before: end) {
      hasTwoEnds =
        (count != 0xffff && count != large.count) || (size != 0xffff_ffff && size != large.size)
        || (offset != 0xffff_ffff && offset != large.offset)
      if count == 0xffff || size == 0xffff_ffff || offset == 0xffff_ffff {
        (count, size, offset, directoryEnd) = large
      }
    }
    guard size <= directoryEnd, offset <= directoryEnd - size else {
      throw ParseError(
        .outOfBounds(offset: offset, count: size, size: bytes.count), in: Self.structure, at: end)
    }
    base = directoryEnd - size - offset
    guard count <= UInt64(limit) else {
      throw ParseError(.limit(name: "members", value: limit), in: Self.structure, at: end)
    }
    let directory = try bytes.slice(at: base + offset, count: size, of: "zip directory")
    var members: [Member] = []
    var entries = ByteReader(
      directory.bytes, reading: "zip directory", base: Int(clamping: base + offset))
    for _ in 0..<count { members.append(try Self.member(&entries, in: directory)) }
    self.members = members
    self.bytes = bytes
    self.end = end
    self.hasTwoEnds = hasTwoEnds
    directoryStart = base + offset
    directoryBytes = directory.count
    directoryRest = entries.remaining
  }

  /// The offset of the end record, which only a comment may follow.
  private static func endRecord(in bytes: ByteView) throws(ParseError) -> Int {
    let size = 22
    var offset = bytes.count - size
    let last = max(offset - 0xffff, 0)
    while offset >= last, offset >= 0 {
      if bytes[offset] == 0x50, bytes[offset + 1] == 0x4b, bytes[offset + 2] == 5,
        bytes[offset + 3] == 6,
        Int(bytes[offset + 20]) | Int(bytes[offset + 21]) << 8 == bytes.count - offset - size
      {
        return offset
      }
      offset -= 1
    }
    throw ParseError(.invalid("no end of a directory"), in: structure, at: bytes.count)
  }

  /// The numbers of the second end record, `nil` where there is none.
  private static func largeEndRecord(
    in bytes: ByteView, before end: Int
  ) throws(ParseError) -> (count: UInt64, size: UInt64, offset: UInt64, end: UInt64)? {
    guard end >= 20 else { return nil }
    var locator = ByteReader(
      bytes.clamped((end - 20)..<end).bytes, reading: "zip file", base: end - 20)
    guard try locator.read(UInt32.self) == 0x0706_4b50 else { return nil }
    // Its offset does not count bytes before the first member; the record is right before this one.
    let offset = end - 20 - 56
    guard offset >= 0 else { return nil }
    var record = ByteReader(
      bytes.clamped(offset..<(end - 20)).bytes, reading: "zip file", base: offset)
    try record.expect(UInt32(0x0606_4b50))
    try record.skip(28)
    return (try record.read(), try record.read(), try record.read(), UInt64(offset))
  }

  private static func member(
    _ reader: inout ByteReader, in directory: ByteView
  ) throws(ParseError) -> Member {
    try reader.expect(UInt32(0x0201_4b50))
    try reader.skip(4)
    let flags: UInt16 = try reader.read()
    let method: UInt16 = try reader.read()
    try reader.skip(4)
    let checksum: UInt32 = try reader.read()
    var storedSize = UInt64(try reader.read(UInt32.self))
    var size = UInt64(try reader.read(UInt32.self))
    let nameCount: UInt16 = try reader.read()
    let extraCount: UInt16 = try reader.read()
    let commentCount: UInt16 = try reader.read()
    try reader.skip(8)
    var header = UInt64(try reader.read(UInt32.self))
    let name = directory.clamped(reader.position..<(reader.position + Int(nameCount)))
    try reader.skip(Int(nameCount))
    var extra = ByteReader(
      try reader.readBytes(Int(extraCount)), reading: "zip directory",
      base: reader.position - Int(extraCount))
    while extra.remaining >= 4 {
      let type: UInt16 = try extra.read()
      let count: UInt16 = try extra.read()
      var field = ByteReader(
        try extra.readBytes(Int(count)), reading: "zip directory",
        base: extra.position - Int(count))
      guard type == 1 else { continue }
      if size == 0xffff_ffff { size = try field.read() }
      if storedSize == 0xffff_ffff { storedSize = try field.read() }
      if header == 0xffff_ffff { header = try field.read() }
    }
    try reader.skip(Int(commentCount))
    return Member(
      name: name.text, nameBytes: name, flags: flags, method: method, checksum: checksum,
      storedSize: storedSize, size: size, header: header)
  }

  /// The bytes of a member.
  ///
  /// - Throws: ``ParseError`` for damage, a wrong checksum, a compression other than deflate, and
  ///   more bytes than `limit`.
  public func contents(of member: Member, limit: Int) throws(ParseError) -> ByteView {
    let offset = Int(clamping: base.addingReportingOverflow(member.header).partialValue)
    let stored = try storedBytes(of: member)
    let contents: ByteView
    switch member.method {
    case 0: contents = stored
    case 8:
      do throws(CompressionError) {
        contents = try Deflate.decompress(stored, size: member.size, limit: limit)
      } catch {
        throw ParseError(.invalid(error.description), in: Self.structure, at: offset)
      }
    default:
      throw ParseError(
        .unsupported("compression \(member.method)"), in: Self.structure, at: offset)
    }
    guard contents.count <= limit else {
      throw ParseError(
        .limit(name: "bytes of a member", value: limit), in: Self.structure, at: offset)
    }
    guard CRC32.checksum(of: contents) == member.checksum else {
      throw ParseError(.invalid("wrong checksum"), in: Self.structure, at: offset)
    }
    return contents
  }

  /// The bytes of a member as stored in the file.
  func storedBytes(of member: Member) throws(ParseError) -> ByteView {
    let (start, overflow) = base.addingReportingOverflow(member.header)
    let offset = Int(clamping: start)
    guard !overflow, !member.isEncrypted else {
      throw ParseError(.unsupported("an encrypted member"), in: Self.structure, at: offset)
    }
    let header = try bytes.slice(at: start, count: 30, of: "zip member")
    var reader = ByteReader(header.bytes, reading: "zip member", base: offset)
    try reader.expect(UInt32(0x0403_4b50))
    try reader.skip(22)
    let skipped = UInt64(try reader.read(UInt16.self)) + UInt64(try reader.read(UInt16.self)) + 30
    let (data, isBeyond) = start.addingReportingOverflow(skipped)
    guard !isBeyond else {
      throw ParseError(.truncated(needed: 30, left: 0), in: Self.structure, at: offset)
    }
    return try bytes.slice(at: data, count: member.storedSize, of: "zip member")
  }
}
