internal import Bytes
internal import CrashModel
internal import Files
internal import Identifiers
internal import SymbolSources

/// Symbol indexes as input.
enum SymbolIndexBytes {
  /// Returns the index of a folder that has a file with these bytes; `nil` if that is something else.
  static func seed(of bytes: ByteView) -> [UInt8]? {
    guard bytes.count < 64 << 10, let file = try? UnnamedFile(in: Folder.temporary),
      (try? bytes.write(to: file.file.number, named: file.path)) != nil
    else { return nil }
    var writer = SymbolIndexWriter(engine: "")
    writer.add([file.path])
    guard writer.count > 0 else { return nil }
    var index: [UInt8] = []
    try? writer.write { index += $0.array }
    return index
  }

  static func read(_ bytes: ByteView) {
    guard let index = try? IndexedSymbols(opening: bytes, named: "a", checksSums: false) else {
      return
    }
    for name in ["a", "firmware", "wasm"] {
      var image = LoadedImage(name: name)
      _ = try? index.candidates(for: image)
      _ = try? index.namesakes(of: image, limit: 3)
      image.debugID = DebugID(String(repeating: "0", count: 32) + "0")
      _ = try? index.unusable(for: image)
      _ = try? index.mappings(for: image)
    }
  }
}
