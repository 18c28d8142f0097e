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

  /// The bytes compiled by N threads, each unit on its own.
  static func compile(_ object: ObjectFile, threads: Int) throws -> CompiledCache {
    var options = CacheOptions()
    options.width = threads
    options.limits.smallestShare = 0
    return try SymbolCache.compiling(object, options: options)
  }

  @Test(
    "Any number of threads gives the same bytes",
    arguments: files + ["variants/compressed-zlib", "variants/compressed-zstd"])
  func sameBytes(name: String) throws {
    let object = try ObjectFile.objects(in: ByteView(DamageTests.file(name)))[0]
    let alone = try Self.compile(object, threads: 1)
    for threads in 2...4 {
      let shared = try Self.compile(object, threads: threads)
      #expect(shared.bytes.array == alone.bytes.array, "\(threads) threads")
      #expect(shared.notes == alone.notes)
    }
  }

  @Test("So do damaged debug sections", arguments: files.prefix(3))
  func damaged(name: String) throws {
    let bytes = try DamageTests.file(name)
    let object = try ObjectFile.objects(in: ByteView(bytes))[0]
    var mutator = Mutator(seed: 5, .anyByte, changes: 1...4)
    var compared = 0
    for section in ["debug_info", "debug_abbrev", "debug_line", "debug_rnglists"] {
      guard let place = object.section(named: section), place.fileSize > 0 else { continue }
      let range = Int(place.fileOffset)..<Int(place.fileOffset + place.fileSize)
      for _ in 0..<25 {
        let copy = mutator.mutated(bytes, in: range)
        guard let damaged = try? ObjectFile.objects(in: ByteView(copy)).first else { continue }
        let alone = try Self.compile(damaged, threads: 1)
        let shared = try Self.compile(damaged, threads: 3)
        #expect(shared.bytes.array == alone.bytes.array)
        #expect(shared.notes == alone.notes)
        compared += 1
      }
    }
    #expect(compared >= 75)
  }

  @Test("Tasks that share a cache get the same results as one alone")
  func sharedLookUps() async throws {
    let object = try ObjectFile.objects(in: ByteView(DamageTests.file("variants/cpp-gcc")))[0]
    let cache = try SymbolCache(opening: SymbolCache.compile(object))
    let alone = Self.answers(cache)
    #expect(Set(alone).count > 20)
    let shared = await withTaskGroup(of: [String].self) { group in
      for _ in 0..<8 { group.addTask { Self.answers(cache) } }
      return await group.reduce(into: [[String]]()) { $0.append($1) }
    }
    #expect(shared.allSatisfy { $0 == alone })
  }

  private static func answers(_ cache: SymbolCache) -> [String] {
    var frames = Table<CacheFrame>()
    return (0..<2_000 as Range<UInt32>).map { step in
      cache.lookUp(0x1000 + step, into: &frames)
      return (0..<frames.count).map { index in
        "\(cache.text(frames[index].name).text):\(frames[index].line)"
      }.joined(separator: " < ")
    }
  }
}
