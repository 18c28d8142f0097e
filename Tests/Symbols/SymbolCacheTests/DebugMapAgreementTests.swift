import Bytes
import DebugInfo
import Identifiers
import ObjectFormats
import SymbolCache
import TestSupport
import Testing

/// Programs whose debug information stayed in their object files, against a dSYM of the same
/// program.
@Suite struct DebugMapAgreementTests {
  /// The folder of the samples' object files, replacing the path that their linker read.
  static func supplementary(of program: ObjectFile, most: Int = .max) throws -> SupplementaryObjects
  {
    var supplementary = SupplementaryObjects()
    guard let map = try program.machO?.debugMap() else { return supplementary }
    for (number, part) in map.objects.enumerated().prefix(most) {
      supplementary.mapped[number] = find(part, map, program)
    }
    return supplementary
  }

  private static func find(
    _ part: DebugMap.Object, _ map: DebugMap, _ program: ObjectFile
  ) -> ObjectFile? {
    let place = DebugMap.ObjectLocation(map.path(of: part))
    let name = place.file.split(separator: "/").last ?? ""
    let path = "\(ExpectedLookUps.folder)/variants/macho-map/\(program.architecture)/\(name)"
    guard let bytes = try? ByteView(reading: path, limit: 1 << 20) else { return nil }
    return DebugMap.ObjectFiles(bytes, architecture: program.architecture).objectFile(
      member: place.member, modified: part.modified)
  }

  @Test(
    "Chains are those that llvm-symbolizer finds in the dSYM that dsymutil makes",
    arguments: ExpectedLookUps.everything.filter { $0.file.hasPrefix("variants/macho-map-") })
  func agreement(expected: ExpectedLookUps) throws {
    let object = try expected.object()
    let compiled = try SymbolCache.compiling(
      object, supplementary: Self.supplementary(of: object))
    #expect(compiled.notes.isEmpty)
    let cache = try SymbolCache(opening: compiled.bytes)
    try cache.verify()
    let symbols = try object.symbolTable()
    var inlined = 0
    var frames: [SourceFrame] = []
    for lookUp in try expected.lookUps() {
      cache.lookUp(ImageOffset(lookUp.address - object.imageBase), into: &frames)
      let found = frames.map {
        ExpectedFrame(name: $0.name, file: $0.file, line: $0.line, column: $0.column)
      }
      if found.count > 1 { inlined += 1 }
      #expect(
        found == lookUp.frames
          || AgreementTests().difference(found, lookUp, symbols, object) != nil,
        "0x\(String(lookUp.address, radix: 16)): \(found) in place of \(lookUp.frames)")
    }
    #expect(inlined > 2)
  }

  @Test("Missing object files are named, and the symbols are kept", arguments: [0, 1, 3])
  func missing(count: Int) throws {
    let expected = try #require(
      ExpectedLookUps.everything.first { $0.file == "variants/macho-map-arm64.dylib" })
    let object = try expected.object()
    let compiled = try SymbolCache.compiling(
      object, supplementary: Self.supplementary(of: object, most: count))
    let words = try #require(compiled.notes.first)
    #expect(
      words.hasPrefix("debug map: \(4 - count) of 4 object files are missing: /app/build"))
    let cache = try SymbolCache(opening: compiled.bytes)
    #expect(cache.hasLines == (count > 0))
    let symbols = try object.symbolTable()
    let last = try #require(symbols.symbols.last { symbols.name(of: $0) == "tide_unused" })
    var frames: [SourceFrame] = []
    cache.lookUp(ImageOffset(last.address - object.imageBase), into: &frames)
    #expect(frames.last?.name == "tide_unused")
  }

  @Test("An object file that several names of the map refer to is read once")
  func once() throws {
    let expected = try #require(
      ExpectedLookUps.everything.first { $0.file == "variants/macho-map-arm64.dylib" })
    let program = try expected.object()
    let map = try #require(try program.machO?.debugMap())
    let path = "\(ExpectedLookUps.folder)/variants/macho-map/arm64/start.object"
    var bytes = try ByteView(reading: path, limit: 1 << 20).array
    let section = try #require(
      try ObjectFile.objects(in: ByteView(bytes)).first?.section(named: "debug_abbrev"))
    // Damage is reported whenever the file is read.
    for index in Int(section.fileOffset)..<Int(section.fileOffset + section.fileSize) {
      bytes[index] = 0xff
    }
    let damaged = ByteView(bytes)
    func notes(_ count: Int) throws -> [String] {
      var supplementary = SupplementaryObjects()
      for number in map.objects.indices.prefix(count) {
        // As from a file that is named by several paths.
        supplementary.mapped[number] = try ObjectFile.objects(in: damaged).first
      }
      return try SymbolCache.compiling(program, supplementary: supplementary).notes
        .filter { !$0.hasPrefix("debug map: ") }
    }
    let once = try notes(1)
    #expect(!once.isEmpty)
    #expect(try notes(map.objects.count) == once)
  }

  @Test("The same files give the same bytes")
  func deterministic() throws {
    for expected in ExpectedLookUps.everything where expected.file.contains("macho-map-") {
      let object = try expected.object()
      let supplementary = try Self.supplementary(of: object)
      let first = try SymbolCache.compile(object, supplementary: supplementary)
      let second = try SymbolCache.compile(object, supplementary: supplementary)
      #expect(first.array == second.array)
    }
  }
}
