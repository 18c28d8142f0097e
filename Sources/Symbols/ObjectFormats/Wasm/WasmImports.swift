internal import Bytes

/// The imports of a module: how many functions, and whether its memory has 64-bit
/// addresses.
///
/// Each import is two names and a kind: 0 function (type index), 1 table (type of its elements,
/// limits), 2 memory (limits), 3 global (type, whether it changes), 4 tag (attribute, type index).
///
/// Source: WebAssembly core specification, 5.5.5 "Import Section", 5.3 "Types".
struct WasmImports {
  private(set) var functions = 0
  private(set) var hasWideMemory = false

  init(parsing view: ByteView) throws(ParseError) {
    var reader = ByteReader(view.bytes, reading: "imports")
    for _ in 0..<(try reader.readWasmCount()) {
      try reader.skipWasmName()
      try reader.skipWasmName()
      switch try reader.read(UInt8.self) {
      case 0:
        _ = try reader.readWasmCount()
        functions += 1
      case 1:
        try Self.skipType(&reader)
        _ = try Self.readLimits(&reader)
      case 2: if try Self.readLimits(&reader) { hasWideMemory = true }
      case 3:
        try Self.skipType(&reader)
        try reader.skip(1)
      case 4:
        try reader.skip(1)
        _ = try reader.readWasmCount()
      case let kind: throw reader.error(.invalid("an import of kind \(kind)"))
      }
    }
  }

  /// Whether one of the module's own memories has 64-bit addresses.
  static func hasWideMemory(memories view: ByteView) throws(ParseError) -> Bool {
    var reader = ByteReader(view.bytes, reading: "memories")
    for _ in 0..<(try reader.readWasmCount()) where try readLimits(&reader) { return true }
    return false
  }

  /// Skips limits (flags, minimum, and with flag 1 a maximum); returns whether they are of 64 bits
  /// (flag 4). A page size (flag 8) follows where it is not the usual one.
  @_lifetime(reader: copy reader)
  private static func readLimits(_ reader: inout ByteReader) throws(ParseError) -> Bool {
    let flags: UInt8 = try reader.read()
    _ = try reader.readULEB128()
    if flags & 1 != 0 { _ = try reader.readULEB128() }
    if flags & 8 != 0 { _ = try reader.readULEB128() }
    return flags & 4 != 0
  }

  /// Skips the type of a value: one byte, or for a reference to a type that one (0x63, 0x64).
  @_lifetime(reader: copy reader)
  private static func skipType(_ reader: inout ByteReader) throws(ParseError) {
    let kind: UInt8 = try reader.read()
    if kind == 0x63 || kind == 0x64 { _ = try reader.readSLEB128() }
  }
}
