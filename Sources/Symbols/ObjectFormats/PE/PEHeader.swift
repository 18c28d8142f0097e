internal import Bytes

/// The headers at the start of a PE file, little-endian.
///
///     OFFSET  SIZE  FIELD
///          0     2  "MZ"
///         60     4  offset of the PE signature
///     at that offset
///          0     4  "PE" and two zeros
///          4     2  machine
///          6     2  number of sections
///          8     4  time stamp
///         12     4  offset of the symbol table, 0 for none
///         16     4  number of symbols
///         20     2  size of the optional header in bytes
///         22     2  characteristics
///     the optional header, its fields by offset for 32 / 64 bits
///      0 / 0     2  0x10b / 0x20b
///    28 / 24  4/ 8  image base
///    56 / 56     4  size of the image
///    92 / 108    4  number of data directories
///    96 / 112    8  for each its address, from the image base, and its size
///
/// Source: Microsoft, "PE Format", sections MS-DOS stub, COFF file header, optional header.
struct PEHeader: Sendable {
  /// A table that a data directory names.
  struct Directory: Sendable {
    /// From the image base.
    let address: UInt32
    let size: UInt32
  }

  private static let signature: UInt32 = 0x4550
  private static let magic32: UInt16 = 0x10b
  private static let magic64: UInt16 = 0x20b
  private static let fileHeaderSize = 24
  static let flagLibrary: UInt16 = 0x2000

  let machine: UInt16
  let sectionCount: UInt16
  let timeStamp: UInt32
  let symbolTable: UInt32
  let symbolCount: UInt32
  let characteristics: UInt16
  /// 4 or 8.
  let addressSize: Int
  let imageBase: UInt64
  let imageSize: UInt32
  let exports: Directory?
  /// The unwind information of functions.
  let exceptions: Directory?
  let debug: Directory?
  /// Where the section headers begin, in bytes from the start of the file.
  let sectionTable: Int

  /// Whether `view` begins like a PE file, by the first 64 bytes and the signature as far as it is
  /// there.
  static func isHeader(_ view: ByteView) -> Bool {
    guard let offset = signatureOffset(in: view) else { return false }
    guard offset <= view.count - 4 else { return true }
    return view.clamped(offset..<(offset + 4)).starts(with: [0x50, 0x45, 0, 0])
  }

  private static func signatureOffset(in view: ByteView) -> Int? {
    guard view.count >= 64, view.starts(with: [0x4d, 0x5a]) else { return nil }
    let offset = (0..<4).reduce(0 as UInt32) { $0 | UInt32(view[60 + $1]) << UInt32(8 * $1) }
    // Linkers put it right after the stub; programs of MS-DOS have something else there.
    return offset >= 4 && offset <= UInt32(ObjectLimits.dosStubBytes) ? Int(offset) : nil
  }

  init(parsing view: ByteView) throws(ParseError) {
    guard let offset = Self.signatureOffset(in: view) else {
      throw ParseError(.notRecognised, in: "PE", at: 0)
    }
    var reader = ByteReader(view.bytes, reading: "PE header")
    try reader.seek(to: offset)
    try reader.expect(Self.signature)
    machine = try reader.read()
    sectionCount = try reader.read()
    timeStamp = try reader.read()
    symbolTable = try reader.read()
    symbolCount = try reader.read()
    let optionalSize = try reader.read(UInt16.self)
    characteristics = try reader.read()
    let start = offset + Self.fileHeaderSize
    sectionTable = start + Int(optionalSize)
    let magic: UInt16 = try reader.read()
    guard magic == Self.magic32 || magic == Self.magic64 else {
      throw reader.error(.unsupported("an optional header \(magic.hexadecimal)"))
    }
    let isWide = magic == Self.magic64
    addressSize = isWide ? 8 : 4
    try reader.seek(to: start + (isWide ? 24 : 28))
    imageBase = try reader.readUnsigned(size: addressSize)
    try reader.seek(to: start + 56)
    imageSize = try reader.read()
    try reader.seek(to: start + (isWide ? 108 : 92))
    let announced: UInt32 = try reader.read()
    var directories: [Directory] = []
    for _ in 0..<min(announced, 16) where reader.position + 8 <= sectionTable {
      directories.append(Directory(address: try reader.read(), size: try reader.read()))
    }
    func directory(_ index: Int) -> Directory? {
      index < directories.count && directories[index].size > 0 ? directories[index] : nil
    }
    exports = directory(0)
    exceptions = directory(3)
    debug = directory(6)
  }
}
