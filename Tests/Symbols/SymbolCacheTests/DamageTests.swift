import Bytes
import Identifiers
import ObjectFormats
import SymbolCache
import TestSupport
import Testing

@Suite struct DamageTests {
  static func file(_ name: String) throws -> [UInt8] {
    try ByteView(reading: "\(ExpectedLookUps.folder)/\(name)", limit: 1 << 26).array
  }

  static let small = ["variants/dwarf5-clang", "variants/cpp-gcc", "variants/dwarf2-gcc"]

  /// Looks up every sixteenth address of the first pages.
  static func lookUps(_ cache: SymbolCache) {
    var frames = Table<CacheFrame>()
    for offset in stride(from: UInt32(0x1000), to: 0x3000, by: 16) {
      cache.lookUp(offset, into: &frames)
      for index in 0..<frames.count { _ = cache.text(frames[index].name).byteCount }
    }
    cache.lookUp(.max, into: &frames)
    cache.lookUp(0, into: &frames)
  }

  /// Compiles the objects in `bytes` and looks addresses up. Our own cache can always be opened.
  static func compile(_ bytes: [UInt8]) throws {
    for object in try ObjectFile.objects(in: ByteView(bytes)) {
      let compiled = try SymbolCache.compile(object)
      #expect(throws: Never.self) { lookUps(try SymbolCache(opening: compiled)) }
    }
  }

  @Test("The same object gives the same bytes", arguments: small)
  func deterministic(name: String) throws {
    let object = try ObjectFile.objects(in: ByteView(Self.file(name)))[0]
    #expect(
      try SymbolCache.compile(object).array == SymbolCache.compile(object).array)
  }

  @Test("Damaged objects compile to something or are refused", arguments: small)
  func damagedObjects(name: String) throws {
    var outcomes = Outcomes()
    for copy in Mutator.binary(try Self.file(name), count: 150, seed: 3) {
      outcomes.count { try Self.compile(copy) }
    }
    #expect(outcomes.all == 150 && outcomes.read > 50)
  }

  @Test("Damaged debug sections lose only what they touch", arguments: small)
  func damagedSections(name: String) throws {
    let bytes = try Self.file(name)
    let object = try ObjectFile.objects(in: ByteView(bytes))[0]
    var mutator = Mutator(seed: 11, .anyByte, changes: 1...4)
    var outcomes = Outcomes()
    for section in ["debug_info", "debug_abbrev", "debug_line", "debug_rnglists", "debug_ranges"] {
      guard let place = object.section(named: section), place.fileSize > 0 else { continue }
      let range = Int(place.fileOffset)..<Int(place.fileOffset + place.fileSize)
      for _ in 0..<60 {
        outcomes.count { try Self.compile(mutator.mutated(bytes, in: range)) }
      }
    }
    #expect(outcomes.read >= 180 && outcomes.refused == 0)
  }

  @Test("A truncated cache is refused")
  func prefixes() throws {
    let object = try ObjectFile.objects(in: ByteView(Self.file(Self.small[0])))[0]
    let bytes = try SymbolCache.compile(object).array
    for count in 0..<bytes.count {
      #expect(throws: ParseError.self) {
        try SymbolCache(opening: ByteView(bytes.prefix(count)))
      }
    }
  }

  @Test("A damaged header or index is refused; damage after it is found by verifying")
  func damagedCaches() throws {
    let object = try ObjectFile.objects(in: ByteView(Self.file(Self.small[1])))[0]
    let bytes = try SymbolCache.compile(object).array
    let whole = try SymbolCache(opening: ByteView(bytes))
    try whole.verify()
    for place in bytes.indices {
      var copy = bytes
      copy[place] ^= 0x41
      do {
        let cache = try SymbolCache(opening: ByteView(copy))
        #expect(place >= 336, "byte \(place) of header or index changed unnoticed")
        #expect(throws: ParseError.self) { try cache.verify() }
        Self.lookUps(cache)
      } catch {
      }
    }
  }

  @Test("A cache of another version is refused with that reason")
  func otherVersions() throws {
    let object = try ObjectFile.objects(in: ByteView(Self.file(Self.small[0])))[0]
    var bytes = try SymbolCache.compile(object).array
    bytes[8] = 1
    let error = #expect(throws: ParseError.self) {
      try SymbolCache(opening: ByteView(bytes))
    }
    #expect(error?.kind == .unsupported("version 1"))
    #expect(throws: ParseError.self) { try SymbolCache(opening: ByteView([1, 2, 3])) }
  }

  @Test("Offsets past 4 GiB have no result")
  func farOffsets() throws {
    let object = try ObjectFile.objects(in: ByteView(Self.file(Self.small[0])))[0]
    let cache = try SymbolCache(opening: SymbolCache.compile(object))
    var frames: [SourceFrame] = []
    for offset in [1 << 32, .max, UInt64(UInt32.max), 0] {
      cache.lookUp(ImageOffset(offset), into: &frames)
      #expect(frames.isEmpty)
    }
  }
}
