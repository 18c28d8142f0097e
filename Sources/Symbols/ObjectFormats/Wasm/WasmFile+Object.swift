internal import Bytes
package import Identifiers

/// The sections' facts, as ``ObjectFile`` asks for them.
///
/// Linked addresses are those of DWARF, and of llvm-symbolizer: they count from the contents of the
/// code section. Reports count from the start of the file, so the image lies as far before address
/// 0 as the code section lies into the file.
extension WasmFile {
  /// The id that some reports name in place of the object's: some readers take the build id
  /// together with its length.
  package var otherDebugID: DebugID? { buildID?.withLength.flatMap(WasmBuildID.debugID) }

  /// The whole build id in the same reading.
  package var otherCodeID: CodeID? { buildID?.withLength.map { CodeID($0) } }

  /// Whether both are of one build, as far as it can be known: their build ids are the same, and
  /// their code is, where both have some.
  ///
  /// - Complexity: O(n) in the size of the code.
  package func isSameModule(as other: WasmFile?) -> Bool {
    guard let other else { return false }
    if let id = codeID, let otherID = other.codeID, id != otherID { return false }
    guard let code, let otherCode = other.code else { return true }
    let (left, right) = (contents(of: code), other.contents(of: otherCode))
    return left.count == right.count
      && left.bytes.matches(from: 0, count: left.count, in: right.bytes, from: 0)
  }

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

  /// Without the number of functions, with which the code section begins: linkers leave address 0
  /// to functions that they dropped.
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
