internal import Bytes
internal import CrashModel

/// What the sections say, in the words of ``ObjectFile``.
///
/// Linked addresses are those of DWARF, and of llvm-symbolizer: they count from the contents of the
/// code section. Reports count from the start of the file, so the image lies as far before address 0
/// as the code section lies into the file.
extension WasmFile {
  var architecture: Architecture { hasWideMemory ? .wasm64 : .wasm32 }
  var addressSize: Int { hasWideMemory ? 8 : 4 }

  var kind: ObjectKind {
    if sections.contains(where: { $0.name == "linking" }) { return .relocatable }
    if code == nil { return .debugFile }
    let isLibrary = sections.contains { $0.name == "dylink.0" || $0.name == "dylink" }
    return isLibrary ? .library : .executable
  }

  var debugID: DebugID? { buildID.flatMap { WasmBuildID.debugID($0.bytes) } }
  var codeID: CodeID? { buildID.map { CodeID($0.bytes) } }

  var imageBase: UInt64 { 0 &- UInt64(code?.offset ?? 0) }

  /// Without the number of functions, with which the code section begins: linkers leave address 0 to
  /// functions that they dropped.
  var executableRanges: [Range<UInt64>] {
    guard let code, code.size > 1 else { return [] }
    return [1..<UInt64(code.size)]
  }

  var objectSections: [ObjectSection] {
    sections.map { section in
      ObjectSection(
        name: section.name, segment: nil, address: 0, size: UInt64(section.size),
        fileOffset: UInt64(section.offset), fileSize: UInt64(section.size),
        isExecutable: section.id == WasmSection.code, compression: .none)
    }
  }
}
