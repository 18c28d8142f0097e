import Bytes
import Identifiers
import ObjectFormats
import SymbolCache
import TestSupport
import Testing

/// Compares with other symbolizers while the test runs, at arbitrary addresses.
@Suite struct LiveAgreementTests {
  /// Files that llvm-symbolizer reads in part: it knows no zlib-gnu, zstd and `.gnu_debugdata`.
  private static let unreadable = ["compressed-zlib-gnu", "compressed-zstd", "minidebug"]

  @Test(
    "Random addresses get the functions, lines and inlined calls of llvm-symbolizer",
    arguments: ExpectedLookUps.all.filter { expected in
      // A WebAssembly module does not say where its code is mapped.
      !expected.file.hasSuffix(".wasm") && !unreadable.contains { expected.file.hasSuffix($0) }
    })
  func llvmSymbolizer(expected: ExpectedLookUps) throws {
    let tool = try #require(OtherTool.path("llvm-symbolizer"), "it comes with the Swift toolchain")
    let object = try expected.object()
    let cache = try SymbolCache(opening: SymbolCache.compile(object))
    let symbols = try object.symbolTable()
    let addresses = Self.addresses(of: object, count: 60)
    let architecture = expected.architecture == "-" ? "" : "--default-arch=\(expected.architecture)"
    let answer = try #require(
      OtherTool.output(
        of: "\(tool) --output-style=JSON --no-demangle \(architecture) "
          + "--obj=\(ExpectedLookUps.folder)/\(expected.file) "
          + addresses.map { "0x" + String($0, radix: 16) }.joined(separator: " ")))
    let lookUps = answer.split(separator: "{\"Address\":").dropFirst().map { text in
      ExpectedLookUps.LookUp(
        address: 0,
        frames: ExpectedFrame.objects(in: text).map { ExpectedFrame($0) }.filter { !$0.isEmpty })
    }
    #expect(lookUps.count == addresses.count && addresses.count == 60)
    let judge = AgreementTests()
    for (address, var lookUp) in zip(addresses, lookUps) {
      lookUp.address = address
      var found: [SourceFrame] = []
      cache.lookUp(ImageOffset(address - object.imageBase), into: &found)
      let ours = found.map {
        ExpectedFrame(name: $0.name, file: $0.file, line: $0.line, column: $0.column)
      }
      if ours == lookUp.frames { continue }
      #expect(
        judge.difference(ours, lookUp, symbols, object) != nil,
        "0x\(String(address, radix: 16)): \(ours) against \(lookUp.frames)")
    }
  }

  /// - addr2line of Debian 12 often prints the innermost line alone where clang has inlined calls, and
  ///   of folded functions it takes another.
  @Test(
    "The lines of a chain of calls are those of addr2line",
    arguments: ExpectedLookUps.all.filter { expected in
      expected.architecture == "-" && !["macho", "wasm"].contains { expected.file.contains($0) }
    })
  func addr2line(expected: ExpectedLookUps) throws {
    let tool = try #require(OtherTool.path("addr2line"), "it comes with binutils")
    let object = try expected.object()
    let cache = try SymbolCache(opening: SymbolCache.compile(object))
    let addresses = try expected.lookUps().map(\.address)
    let answer = try #require(
      OtherTool.output(
        of: "\(tool) -a -i -e \(ExpectedLookUps.folder)/\(expected.file) "
          + addresses.map { "0x" + String($0, radix: 16) }.joined(separator: " ")
          + " 2>/dev/null"))
    let chains = answer.split(separator: "0x").map { text in
      text.split(separator: "\n").dropFirst().map { line in
        Int(line.split(separator: " ")[0].split(separator: ":").last ?? "") ?? 0
      }
    }
    guard chains.count == addresses.count else {
      // It reads the machines that its build knows.
      #expect(object.architecture != .x86_64)
      return
    }
    var compared = 0
    for (address, theirs) in zip(addresses, chains) {
      guard address >= object.imageBase else { continue }
      var found: [SourceFrame] = []
      cache.lookUp(ImageOffset(address - object.imageBase), into: &found)
      let ours = found.map { $0.line ?? 0 }
      guard ours.contains(where: { $0 > 0 }), theirs.contains(where: { $0 > 0 }) else { continue }
      let isInnermostAlone = theirs.count == 1 && theirs.first == ours.first
      let isFolded = expected.file.hasSuffix("/icf") || expected.file.hasSuffix("type-units-gcc")
      #expect(
        ours == theirs || isInnermostAlone || isFolded,
        "0x\(String(address, radix: 16)): \(ours) against \(theirs)")
      compared += 1
    }
    #expect(compared > 0 || !cache.hasLines)
  }

  /// Random places in code, the same in each run.
  private static func addresses(of object: ObjectFile, count: Int) -> [UInt64] {
    var random = SplitMix(seed: 7)
    let ranges = object.executableRanges.filter { $0.lowerBound >= object.imageBase }
    guard !ranges.isEmpty else { return [] }
    return (0..<count).map { _ in
      let range = ranges[Int(random.next() % UInt64(ranges.count))]
      return range.lowerBound + random.next() % UInt64(range.count)
    }
  }
}
