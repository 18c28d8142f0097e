internal import Bytes
internal import Identifiers
internal import ObjectFormats
internal import SymbolCache

/// A WebAssembly module, and one that was made from it.
enum ModulePair {
  static func compile(_ bytes: ByteView) {
    FuzzEntry.compile(bytes)
    guard let object = try? ObjectFile.objects(in: bytes).first, let module = object.wasm else {
      return
    }
    _ = module.externalDebugInfo
    _ = module.otherDebugID?.description
    precondition(module.isSameModule(as: module), "a module that is not itself")
    guard let half = try? ObjectFile.objects(in: bytes.clamped(0..<(bytes.count / 2))).first else {
      return
    }
    _ = module.isSameModule(as: half.wasm)
    _ = try? SymbolCache.compile(object.borrowingSymbols(of: half))
  }
}
