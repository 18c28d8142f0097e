import Bytes
import Identifiers
import ObjectFormats
import SymbolCache
import TestSupport
import Testing

/// Every difference from llvm-symbolizer must be one of those named here.
enum Difference: String {
  /// The other name is an alias at the same address: we name the function that the debug information
  /// has there (`D2` and `D1`, folded functions).
  case alias
  /// Beside debug information, the other reader gives a symbol without a line the file of the last
  /// `STT_FILE` before it, which may be another's.
  case fileOfSymbolTable
  /// The other reader lets the last symbol of a section reach over the end of the code.
  case pastTheCode
  /// The other reader asks no line table of a unit whose ranges leave the code out: constructors
  /// that a sanitizer adds.
  case outsideTheUnit
  /// The other reader names code after the assembler's own labels (`.Lpcrel_hi0`).
  case localLabel
  /// The other reader takes no names from the name section of a WebAssembly module, which names the
  /// functions that linkers and assemblers make.
  case nameSection
  /// The other reader leaves out the namespaces and types around a function without a linkage name. What
  /// they are, libdwarf says too, see the tests of the reference reader.
  case scopes
}

@Suite struct AgreementTests {
  @Test(
    "Functions, files, lines and inlined calls are those of llvm-symbolizer",
    arguments: ExpectedLookUps.all)
  func agreement(expected: ExpectedLookUps) throws {
    let object = try expected.object()
    let compiled = try SymbolCache.compiling(object)
    #expect(compiled.notes.isEmpty)
    let cache = try SymbolCache(opening: compiled.bytes)
    try cache.verify()
    #expect(cache.debugID == object.debugID)
    #expect(cache.architecture == object.architecture)
    let symbols = try object.symbolTable()
    var frames: [SourceFrame] = []
    let lookUps = try expected.lookUps()
    try #require(!lookUps.isEmpty)
    for lookUp in lookUps {
      guard lookUp.address >= object.imageBase else { continue }
      cache.lookUp(ImageOffset(lookUp.address - object.imageBase), into: &frames)
      let found = frames.map {
        ExpectedFrame(name: $0.name, file: $0.file, line: $0.line, column: $0.column)
      }
      if found == lookUp.frames { continue }
      #expect(
        difference(found, lookUp, symbols, object) != nil,
        "0x\(String(lookUp.address, radix: 16)): \(found) in place of \(lookUp.frames)")
    }
  }

  func difference(
    _ found: [ExpectedFrame], _ lookUp: ExpectedLookUps.LookUp, _ symbols: SymbolTable,
    _ object: ObjectFile
  ) -> Difference? {
    if object.container == .wasm, found.count == 1, let ours = found.first,
      lookUp.frames.allSatisfy({ $0.name.isEmpty }),
      ours.file == lookUp.frames.first?.file ?? "", ours.line == lookUp.frames.first?.line ?? 0,
      symbols.symbols.contains(where: { symbols.name(of: $0) == ours.name })
    {
      return .nameSection
    }
    if found.count == lookUp.frames.count {
      let plain = zip(found, lookUp.frames).map { ours, theirs in
        let isScoped =
          !theirs.name.isEmpty && !ours.name.hasPrefix("_Z")
          && ours.name.hasSuffix("::" + theirs.name)
        return isScoped
          ? ExpectedFrame(name: theirs.name, file: ours.file, line: ours.line, column: ours.column)
          : ours
      }
      if plain == lookUp.frames { return .scopes }
      if plain != found { return difference(plain, lookUp, symbols, object) }
    }
    guard let theirs = lookUp.frames.last else { return nil }
    guard let ours = found.last else {
      let isInCode = object.executableRanges.contains { $0.contains(lookUp.address) }
      let start = symbols.symbols.last { $0.address <= lookUp.address }?.address ?? 0
      let range = object.executableRanges.first { $0.contains(start) }
      let reaches = isInCode && range?.contains(lookUp.address) == true
      return theirs.line == 0 && !reaches ? .pastTheCode : nil
    }
    if found.count == 1, lookUp.frames.count == 1, ours.name == theirs.name, ours.line > 0,
      theirs.line == 0, ours.file.hasSuffix("/" + theirs.file)
    {
      return .outsideTheUnit
    }
    guard found.count == lookUp.frames.count, found.dropLast() == lookUp.frames.dropLast(),
      ours.line == theirs.line, ours.column == theirs.column
    else { return nil }
    if ours.name == theirs.name {
      let isForeign = object.hasDebugInfo && ours.file.isEmpty && theirs.line == 0
      return isForeign ? .fileOfSymbolTable : nil
    }
    guard ours.file == theirs.file || ours.file.isEmpty && theirs.line == 0 else { return nil }
    if theirs.name.utf8.starts(with: ".L".utf8) { return .localLabel }
    let starts = symbols.symbols.filter { symbols.name(of: $0) == theirs.name }.map(\.address)
    let isAlias = symbols.symbols.contains {
      starts.contains($0.address) && symbols.name(of: $0) == ours.name
    }
    return isAlias ? .alias : nil
  }

  @Test("Hot code is never named after its cold part")
  func coldParts() throws {
    for expected in ExpectedLookUps.all where expected.file.contains("cold-split") {
      let object = try expected.object()
      let cache = try SymbolCache(opening: SymbolCache.compile(object))
      let symbols = try object.symbolTable()
      var colds = 0
      var frames: [SourceFrame] = []
      for symbol in symbols.symbols where symbol.size > 0 {
        let name = symbols.name(of: symbol)
        guard name.hasSuffix(".cold") else { continue }
        colds += 1
        cache.lookUp(ImageOffset(symbol.address - object.imageBase), into: &frames)
        #expect(frames.last?.name == name)
        let hot = String(name.dropLast(5))
        guard let entry = symbols.symbols.first(where: { symbols.name(of: $0) == hot }) else {
          continue
        }
        for offset in [0, entry.size / 2, entry.size - 1] {
          cache.lookUp(
            ImageOffset(entry.address + offset - object.imageBase), into: &frames)
          #expect(frames.last?.name == hot)
          #expect(frames.last?.functionStart?.value == entry.address - object.imageBase)
        }
      }
      #expect(colds > 0)
    }
  }
}
