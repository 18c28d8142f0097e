internal import Bytes

/// The resource table of an APK (`resources.arsc`): it holds packages, which hold types with a configuration
/// each, which hold entries.
///
///     A PACKAGE             A TYPE                              AN ENTRY
///      8    4  number        8  1  number, from 1                0  2  size of this, 8
///     12  256  name          9  1  flags; 1: sparse, 2: short    2  2  flags; 1: a set of values, 8: compact
///                           12  4  number of entries             4  4  name
///                           16  4  offset of the entries          8  8  value
///                           20     configuration
///                           head   offsets of entries
///
/// Sparse types have 2 bytes of an index and 2 of the offset in units of 4 for each entry; short ones have
/// only such an offset of 2 bytes. A compact entry has the type of the value in the upper half of its flags,
/// and the data at offset 4.
///
/// Source: ResTable_header and what follows it in ResourceTypes.h of androidfw.
struct ResourceTable: AndroidResources {
  private let strings: AndroidStrings?
  /// Types by package and type number: `0x7f02`.
  private var types: [UInt32: [TypeChunk]] = [:]

  private struct TypeChunk {
    let chunk: AndroidChunk
    let isSparse: Bool
    let isShort: Bool
    let count: Int
    let entriesStart: Int
    let isDefault: Bool
    let density: Int
  }

  /// - Throws: ``ParseError`` for another kind of file and for damage.
  init(parsing bytes: ByteView) throws(ParseError) {
    let table = try AndroidChunk(in: bytes, at: 0, base: 0)
    guard table.type == AndroidChunk.table else {
      throw ParseError(.notRecognised, in: "resource table", at: 0)
    }
    var strings: AndroidStrings?
    var packages: [AndroidChunk] = []
    for chunk in try AndroidChunk.all(in: table.body, base: table.bodyOffset) {
      switch chunk.type {
      case AndroidChunk.stringPool: if strings == nil { strings = try AndroidStrings(chunk) }
      case AndroidChunk.package: packages.append(chunk)
      default: break
      }
    }
    self.strings = strings
    for package in packages {
      var reader = ByteReader(
        package.head.bytes, reading: "resource package", base: package.offset)
      try reader.skip(8)
      let number: UInt32 = try reader.read()
      for chunk in try AndroidChunk.all(in: package.body, base: package.bodyOffset)
      where chunk.type == AndroidChunk.type {
        let type = try Self.type(chunk)
        let typeKey = (number & 0xff) << 8 | UInt32(type.number)
        types[typeKey, default: []].append(type.chunk)
        guard types[typeKey, default: []].count <= AppPackageLimits.configurations else {
          throw ParseError(
            .limit(name: "configurations", value: AppPackageLimits.configurations),
            in: "resource table", at: chunk.offset)
        }
      }
    }
  }

  private static func type(
    _ chunk: AndroidChunk
  ) throws(ParseError) -> (number: UInt8, chunk: TypeChunk) {
    var reader = ByteReader(chunk.bytes.bytes, reading: "resource type", base: chunk.offset)
    try reader.skip(8)
    let number: UInt8 = try reader.read()
    let flags: UInt8 = try reader.read()
    try reader.skip(2)
    let count: UInt32 = try reader.read()
    let start: UInt32 = try reader.read()
    guard Int(count) <= chunk.bytes.count, Int(start) <= chunk.bytes.count else {
      throw reader.error(.invalid("\(count) entries"))
    }
    let (isDefault, density) = try configuration(&reader)
    return (
      number,
      TypeChunk(
        chunk: chunk, isSparse: flags & 1 != 0, isShort: flags & 2 != 0, count: Int(count),
        entriesStart: Int(start), isDefault: isDefault, density: density)
    )
  }

  /// The devices that a type is for.
  ///
  ///     OFFSET  SIZE  FIELD
  ///          0     4  size of this
  ///         14     2  density
  ///         24     4  version of the system
  ///
  /// Source: ResTable_config in ResourceTypes.h of androidfw.
  private static func configuration(
    _ reader: inout ByteReader
  ) throws(ParseError) -> (isDefault: Bool, density: Int) {
    let size: UInt32 = try reader.read()
    guard size >= 16, Int(size) - 4 <= reader.remaining else {
      throw reader.error(.invalid("a configuration of \(size) bytes"))
    }
    let rest = ByteView(copying: try reader.readBytes(Int(size) - 4))
    var isDefault = true
    for index in 0..<rest.count where rest[index] != 0 {
      if ![10, 11, 20, 21, 22, 23].contains(index) { isDefault = false }
    }
    return (isDefault, Int(rest[10]) | Int(rest[11]) << 8)
  }

  func values(of id: UInt32) throws(ParseError) -> [AndroidResource] {
    var found: [AndroidResource] = []
    for type in types[id >> 16] ?? [] {
      guard let value = try value(of: Int(id & 0xffff), in: type) else { continue }
      // Drawables for any density are XML files.
      let density = type.density == 0xfffe || type.density == 0xffff ? 0 : type.density
      found.append(AndroidResource(isDefault: type.isDefault, density: density, value: value))
    }
    return found
  }

  private func value(of entry: Int, in type: TypeChunk) throws(ParseError) -> AndroidValue? {
    guard let offset = try offset(of: entry, in: type) else { return nil }
    var reader = ByteReader(
      type.chunk.bytes.bytes, reading: "resource", base: type.chunk.offset)
    try reader.seek(to: type.entriesStart.addingClamped(offset))
    try reader.skip(2)
    let flags: UInt16 = try reader.read()
    if flags & 8 != 0 {
      return try AndroidTypedValue.value(
        type: UInt8(flags >> 8), data: try reader.read(), strings)
    }
    guard flags & 1 == 0 else { return .other }
    try reader.skip(4 + 3)
    let kind: UInt8 = try reader.read()
    return try AndroidTypedValue.value(type: kind, data: try reader.read(), strings)
  }

  /// The offset of an entry, relative to the start of the entries.
  private func offset(of entry: Int, in type: TypeChunk) throws(ParseError) -> Int? {
    var reader = ByteReader(
      type.chunk.bytes.bytes, reading: "resource offsets", base: type.chunk.offset)
    let start = type.chunk.head.count
    if type.isSparse {
      // Sorted by index.
      var range = 0..<type.count
      while !range.isEmpty {
        let middle = (range.lowerBound + range.upperBound) / 2
        try reader.seek(to: start + 4 * middle)
        let number = Int(try reader.read(UInt16.self))
        let offset: UInt16 = try reader.read()
        if number == entry { return Int(offset) * 4 }
        range = number < entry ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
      }
      return nil
    }
    guard entry < type.count else { return nil }
    if type.isShort {
      try reader.seek(to: start + 2 * entry)
      let offset: UInt16 = try reader.read()
      return offset == .max ? nil : Int(offset) * 4
    }
    try reader.seek(to: start + 4 * entry)
    let offset: UInt32 = try reader.read()
    return offset == .max ? nil : Int(offset)
  }
}
