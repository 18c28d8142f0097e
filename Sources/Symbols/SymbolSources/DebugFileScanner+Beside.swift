internal import ObjectFormats

extension DebugFileScanner {
  /// Where the debug information of a program may lie in its folder, and how it is recognised: the
  /// dSYM bundle of a Mach-O program, the file that a WebAssembly module, or the debug link of an
  /// ELF file, names.
  struct Neighbour {
    let path: String
    let isRight: (DebugFile) -> Bool
  }

  static func neighbours(of program: DebugFile) -> [Neighbour] {
    guard program.usability != .debugInfo, program.diskPath != nil else { return [] }
    switch program.object.container {
    case .machO:
      guard let id = program.debugID, program.object.kind != .debugFile else { return [] }
      return [
        Neighbour(path: program.path + ".dSYM/Contents/Resources/DWARF") {
          $0.object.container == .machO && $0.debugID == id
        }
      ]
    case .wasm:
      let own = program.name.hasSuffix(".wasm") ? program.name.dropLast(5) : program.name[...]
      let named = program.object.wasm?.externalDebugInfo.map { lastPathComponent(of: $0) }
      return [named, own + ".debug.wasm", program.name + ".debug.wasm"].compactMap { name in
        guard let name, name != program.name, name != "..", name != "." else { return nil }
        return Neighbour(path: folder(of: program.path) + name) {
          $0.usability == .debugInfo
            && $0.object.wasm?.isSameModule(as: program.object.wasm) == true
        }
      }
    case .elf:
      guard let link = program.object.elf?.debugLink else { return [] }
      // GDB manual, "Debugging Information in Separate Files".
      return ["", ".debug/"].map { inner in
        Neighbour(path: folder(of: program.path) + inner + lastPathComponent(of: link.name)) {
          $0.usability == .debugInfo && !$0.architecture.contradicts(program.architecture)
            && ($0.codeID != nil && $0.codeID == program.codeID || $0.matches(link))
        }
      }
    default: return []
    }
  }
}
