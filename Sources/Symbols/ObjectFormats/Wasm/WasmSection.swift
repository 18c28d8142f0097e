internal import Bytes

/// One section of a WebAssembly module.
///
///     SIZE  FIELD
///        1  id: 0 for a custom section, otherwise the kind of its contents
///     LEB   size of the contents in bytes
///        n  contents; in a custom section its name first (LEB length and bytes)
///
/// Source: WebAssembly core specification, 5.5.2 "Sections" and 5.5.3 "Custom Section".
struct WasmSection: Sendable {
  static let custom: UInt8 = 0
  static let imports: UInt8 = 2
  static let functions: UInt8 = 3
  static let memories: UInt8 = 5
  static let exports: UInt8 = 7
  static let code: UInt8 = 10

  /// The names of the ids in the specification, in order.
  private static let names = [
    "custom", "type", "import", "function", "table", "memory", "global", "export", "start",
    "element", "code", "data", "data count", "tag",
  ]

  let id: UInt8
  /// The name of a custom section, or otherwise that of the id.
  let name: String
  /// The offset of its contents in the module; in a custom section after the name.
  let offset: Int
  /// The size of its contents in bytes, without the name of a custom section.
  let size: Int

  @_lifetime(reader: copy reader)
  init(reading reader: inout ByteReader) throws(ParseError) {
    id = try reader.read()
    let size = try reader.readWasmCount()
    guard size <= reader.remaining else {
      throw reader.error(.truncated(needed: size, left: reader.remaining))
    }
    let start = reader.position
    if id == Self.custom {
      let nameSize = try reader.readWasmCount()
      let nameStart = reader.position
      guard nameSize <= start + size - nameStart else {
        throw reader.error(.invalid("a name of \(nameSize) bytes"))
      }
      name = try reader.readBytes(min(nameSize, ObjectLimits.sectionNameBytes)).text
      offset = nameStart + nameSize
    } else {
      name = Int(id) < Self.names.count ? Self.names[Int(id)] : "wasm-\(id)"
      offset = start
    }
    self.size = start + size - offset
    try reader.seek(to: start + size)
  }
}

extension ByteReader {
  /// A number of at most 32 bits in LEB128: sizes, counts and indices.
  @_lifetime(self: copy self)
  mutating func readWasmCount() throws(ParseError) -> Int {
    let value = try readULEB128()
    guard value <= UInt64(UInt32.max) else { throw error(.invalid("\(value) instead of 32 bits")) }
    return Int(value)
  }

  /// Skips a name: its length and its bytes.
  @_lifetime(self: copy self)
  mutating func skipWasmName() throws(ParseError) { try skip(try readWasmCount()) }
}
