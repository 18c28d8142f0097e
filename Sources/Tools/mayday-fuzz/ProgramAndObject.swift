internal import Bytes
internal import DebugInfo
internal import ObjectFormats
internal import SymbolCache

/// A Mach-O program with a debug map, and the file for every path in it.
///
///     OFFSET  SIZE  FIELD
///          0     3  size of the program, little-endian
///          3        the program, then the file: an object, a library, or a universal file of either
struct ProgramAndObject {
  private let program: ByteView
  private let file: ByteView

  init?(_ bytes: ByteView) {
    guard bytes.count > 3 else { return nil }
    let size = Int(bytes[0]) | Int(bytes[1]) << 8 | Int(bytes[2]) << 16
    program = bytes.clamped(3..<(3 + size))
    file = bytes.clamped(min(3 + size, bytes.count)..<bytes.count)
  }

  func compile() {
    guard let slices = try? ObjectFile.slices(in: program) else { return }
    for slice in slices {
      guard let object = try? slice.get(), let map = try? object.machO?.debugMap() else { continue }
      var supplementary = SupplementaryObjects()
      let files = DebugMap.ObjectFiles(file, architecture: object.architecture)
      // Another path would have another file; a few are enough.
      for (number, part) in map.objects.enumerated().prefix(8) {
        supplementary.mapped[number] = files.objectFile(
          member: DebugMap.ObjectLocation(map.path(of: part)).member, modified: part.modified)
      }
      guard let compiled = try? SymbolCache.compile(object, supplementary: supplementary) else {
        continue
      }
      guard let cache = try? SymbolCache(opening: compiled) else {
        fatalError("a cache of ours cannot be opened")
      }
      FuzzEntry.lookUp(in: cache)
    }
  }

  /// Returns a program with one of its object files; the map is the sample's.
  static func seeds(of bytes: ByteView) -> [[UInt8]] {
    guard let object = try? ObjectFile.objects(in: bytes).first, object.container == .machO else {
      return StaticArchive.isArchive(bytes) ? [packed(sample, bytes.array)] : []
    }
    if object.kind == .relocatable { return [packed(sample, bytes.array)] }
    return [packed(bytes.array, bytes.array)]
  }

  private static var sample: [UInt8] {
    (try? ByteView(reading: "Symbols/variants/macho-map-arm64.dylib", limit: 1 << 20).array) ?? []
  }

  private static func packed(_ program: [UInt8], _ file: [UInt8]) -> [UInt8] {
    [0, 8, 16].map { UInt8(truncatingIfNeeded: program.count >> $0) } + program + file
  }
}
