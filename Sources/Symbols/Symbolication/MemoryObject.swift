internal import Bytes
internal import CrashModel
internal import Identifiers
internal import ObjectFormats
internal import SymbolCache
internal import UnwindRules

/// An image whose whole file lies in the memory of a dump, as the vDSO of Linux does, which is in no file.
struct MemoryObject {
  /// The most bytes of such an image.
  private static let limit: UInt64 = 1 << 20

  private let object: ObjectFile

  /// - Returns: `nil` where the dump lacks a part of it: most dumps have the first page of a file alone.
  init?(_ image: LoadedImage, in memory: ProcessMemory?) {
    guard let base = image.base?.value, let size = image.size, size <= Self.limit,
      let bytes = memory?.bytes(at: base, count: Int(size)), ObjectFile.isObject(bytes),
      let object = try? ObjectFile.objects(in: bytes).first, !object.sections.isEmpty
    else { return nil }
    self.object = object
  }

  var rules: UnwindRules? {
    guard let bytes = try? UnwindRules.compile(object) else { return nil }
    return try? UnwindRules(opening: bytes)
  }

  /// `nil` where it names no function.
  var symbols: SymbolCache? {
    guard object.hasSymbols,
      let cache = try? SymbolCache.compiling(object, options: CacheOptions())
    else { return nil }
    return try? SymbolCache(opening: cache.bytes)
  }
}
