import Bytes
import DWARF
import ObjectFormats
import SymbolCache
import TestSupport
import Testing

/// The number of threads changes nothing.
@Suite struct ThreadsTests {
  static let files = [
    "variants/dwarf5-clang", "variants/cpp-gcc", "variants/dwarf2-gcc",
    "gcc/tern-1.0.0-gcc-address-O0.debug", "gcc/tern-1.1.0-gcc-thread-O1.debug",
  ]

  /// The bytes made by so many threads, each unit for itself.
  static func compile(_ object: ObjectFile, threads: Int) throws -> CompiledCache {
    var options = CacheOptions()
    options.width = threads
    options.limits.smallestShare = 0
    return try SymbolCache.compiling(object, options: options)
  }

  @Test("Any number of threads gives the same bytes", arguments: files)
  func sameBytes(name: String) throws {
    let object = try ObjectFile.objects(in: ByteView(DamageTests.file(name)))[0]
    let alone = try Self.compile(object, threads: 1)
    for threads in 2...4 {
      let shared = try Self.compile(object, threads: threads)
      #expect(shared.bytes.array == alone.bytes.array, "\(threads) threads")
      #expect(shared.notes == alone.notes)
    }
  }

  @Test("So it is with damaged debug sections", arguments: files.prefix(3))
  func damaged(name: String) throws {
    let bytes = try DamageTests.file(name)
    let object = try ObjectFile.objects(in: ByteView(bytes))[0]
    var random = SplitMix(seed: 5)
    for section in ["debug_info", "debug_abbrev", "debug_line", "debug_rnglists"] {
      guard let place = object.section(named: section), place.fileSize > 0 else { continue }
      for _ in 0..<25 {
        var copy = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let offset =
            Int(place.fileOffset) + Int.random(in: 0..<Int(place.fileSize), using: &random)
          copy[offset] = UInt8.random(in: 0...255, using: &random)
        }
        guard let damaged = try? ObjectFile.objects(in: ByteView(copy)).first else { continue }
        let alone = try Self.compile(damaged, threads: 1)
        let shared = try Self.compile(damaged, threads: 3)
        #expect(shared.bytes.array == alone.bytes.array)
        #expect(shared.notes == alone.notes)
      }
    }
  }
}
