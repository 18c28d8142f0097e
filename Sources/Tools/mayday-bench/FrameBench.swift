internal import Bytes
internal import Identifiers
internal import SymbolCache

/// Looks up offsets from standard input, for comparison with other tools.
enum FrameBench {
  static func run(cache path: String) throws {
    let cache = try SymbolCache(opening: ByteView(mapping: path))
    print("base\t\(cache.imageBase)")
    var frames: [SourceFrame] = []
    while let line = readLine() {
      guard let offset = UInt64(line, radix: 16) else { continue }
      cache.lookUp(ImageOffset(offset), into: &frames)
      print(line)
      for frame in frames {
        print(
          "\t\(frame.name ?? "")\t\(frame.file ?? "")\t\(frame.line ?? 0)\t\(frame.column ?? 0)"
            + "\t\(frame.functionStart.map { String($0.value, radix: 16) } ?? "")"
            + "\t\(frame.declarationFile ?? "")\t\(frame.declarationLine ?? 0)")
      }
    }
  }
}
