internal import Bytes

/// The relevant sections of a WebAssembly module.
///
///     OFFSET  SIZE  FIELD
///          0     4  "\0asm"
///          4     2  version: 1
///          6     2  layer: 0 for a module, 1 for a component
///          8        sections
///
/// Source: WebAssembly core specification, 5.5.16 "Modules"; the layer from the component model's
/// "Binary Format".
package struct WasmFile: Sendable {
  static let magic: [UInt8] = [0, 0x61, 0x73, 0x6d]

  let bytes: ByteView
  private(set) var sections: [WasmSection] = []
  /// The content of the custom section `build_id`.
  private(set) var buildID: WasmBuildID?
  /// The location of the debug information, as written in `external_debug_info`: a path or URL.
  package private(set) var externalDebugInfo: String?
  /// The number of imported functions; they are numbered before the module's own.
  private(set) var importedFunctions = 0
  private(set) var hasWideMemory = false

  /// - Throws: ``ParseError`` when the bytes are not a module or its sections are not inside them.
  init(parsing view: ByteView) throws(ParseError) {
    bytes = view
    guard view.starts(with: Self.magic) else {
      throw ParseError(.notRecognised, in: "WebAssembly module", at: 0)
    }
    var reader = ByteReader(view.bytes, reading: "WebAssembly module")
    try reader.skip(4)
    let version: UInt16 = try reader.read()
    let layer: UInt16 = try reader.read()
    guard layer == 0 else {
      throw ParseError(
        .unsupported("a component; its modules are"), in: "WebAssembly module", at: 6)
    }
    guard version == 1 else {
      throw ParseError(.unsupported("version \(version)"), in: "WebAssembly module", at: 4)
    }
    while !reader.isAtEnd {
      guard sections.count < ObjectLimits.sections else {
        throw reader.error(.limit(name: "sections", value: ObjectLimits.sections))
      }
      sections.append(try WasmSection(reading: &reader))
    }
    for section in sections { read(section) }
  }

  /// The content of `section`.
  func contents(of section: WasmSection) -> ByteView {
    bytes.clamped(section.offset..<(section.offset + section.size))
  }

  /// The section with the instructions, which DWARF's addresses are relative to.
  ///
  /// Source: "DWARF for WebAssembly", section 2.2: an address of code is the offset from the start
  /// of the contents of the code section.
  var code: WasmSection? { sections.first { $0.id == WasmSection.code } }

  /// Reads a section; damage to one with merely additional information is skipped.
  private mutating func read(_ section: WasmSection) {
    let view = contents(of: section)
    switch section.id {
    case WasmSection.imports:
      let imports = try? WasmImports(parsing: view)
      importedFunctions = imports?.functions ?? 0
      if imports?.hasWideMemory == true { hasWideMemory = true }
    case WasmSection.memories:
      if (try? WasmImports.hasWideMemory(memories: view)) == true { hasWideMemory = true }
    case WasmSection.custom where section.name == "build_id":
      buildID = WasmBuildID(view)
    case WasmSection.custom where section.name == "external_debug_info":
      var reader = ByteReader(view.bytes, reading: "external debug info")
      guard let count = try? reader.readWasmCount(), let name = try? reader.readBytes(count).text
      else { return }
      externalDebugInfo = name
    default: break
    }
  }
}
