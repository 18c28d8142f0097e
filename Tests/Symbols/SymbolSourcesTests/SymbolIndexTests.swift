import Bytes
import CrashModel
import Glibc
import Identifiers
import ObjectFormats
import TestSupport
import Testing

@testable import SymbolSources

/// An index finds what a scan of the same folders finds.
@Suite("Symbol indexes") struct SymbolIndexTests {
  private let folder = ScratchFolder()

  private func index(of paths: [String]) throws -> IndexedSymbols {
    var writer = SymbolIndexWriter(engine: "mayday 1")
    writer.add(paths)
    var bytes: [UInt8] = []
    try writer.write { bytes += $0.array }
    return try IndexedSymbols(at: folder.write("all.mdi", bytes))
  }

  /// What is found for an image, in words.
  private func found(_ image: LoadedImage, in source: some SymbolSource) throws -> [String] {
    try source.candidates(for: image).map {
      "\($0.path) \($0.architecture) \($0.usability) \($0.release as Release?) "
        + "\($0.supplementaryFiles.map(\.path)) \($0.missingParts) \($0.digest)"
    } + source.unusable(for: image).map { "unusable \($0)" }
      + source.mappings(for: image).map { "mapping \($0.path)" }
      + source.namesakes(of: image, limit: 3).map { "namesake \($0)" }
  }

  /// Images by the ids and names of all files, and by a part of what these say.
  private func images(of scan: DebugFileScan) -> [LoadedImage] {
    var images = ["firmware", "wasm", "nowhere"].map { LoadedImage(name: $0) }
    for file in scan.files {
      let stem = file.name.split(separator: ".").first.map(String.init) ?? file.name
      for name in [file.name, stem] {
        images.append(LoadedImage(name: name))
        images.append(LoadedImage(name: name, architecture: file.architecture))
        images.append(LoadedImage(name: name, debugID: file.debugID, codeID: file.codeID))
        images.append(LoadedImage(name: name, codeID: file.codeID))
        images.append(
          LoadedImage(name: name, architecture: file.architecture, debugID: file.debugID))
      }
    }
    for file in scan.mappings {
      for identity in file.identities {
        images.append(
          LoadedImage(name: "", architecture: file.architecture, debugID: identity.debugID))
      }
    }
    return images
  }

  private func check(_ paths: [String]) throws -> Int {
    let scan = DebugFileScanner().scan(paths)
    let (whole, index) = (DebugFileIndex(scan), try index(of: paths))
    #expect(index.digest == scan.digest && index.refusals == scan.refusals)
    var count = 0
    for image in images(of: scan) {
      let expected = try found(image, in: whole)
      count += expected.count
      #expect(try found(image, in: index) == expected, "\(image)")
    }
    for kind in MappingFile.Kind.allCases {
      #expect(
        try index.givenMappings(of: kind).map(\.path) == whole.givenMappings(of: kind).map(\.path))
    }
    return count
  }

  @Test("All debug files of the samples are found as by a scan")
  func samples() throws {
    #expect(try check([Samples.symbolsFolder]) > 1_000)
  }

  @Test("Files that name others, and archives, are found as by a scan")
  func links() throws {
    let debug = DebugFileIndexTests.elf(symbols: ["f"], debugInfo: [1])
    let link = DebugLink.checksum(of: ByteView(debug))
    folder.write("lib/tern", DebugFileIndexTests.elf(id: [9, 9], link: ("tern.debug", link)))
    folder.write("lib/.debug/tern.debug", debug)
    folder.write("far/tern.debug", DebugFileIndexTests.elf(id: [7], debugInfo: [1]))
    folder.write("cut/tern", debug.dropLast(40))
    for number in 0..<300 {
      let id = [UInt8(number % 256), UInt8(number / 256)]
      folder.write("many/\(number)/libmany.so", DebugFileIndexTests.elf(id: id, symbols: ["f"]))
    }
    #expect(try check([folder.path("lib"), folder.path("far"), folder.path("cut")]) > 10)
    #expect(try check([folder.path("")]) > 1_000)
  }

  @Test("A debug file that changed after it was indexed is an error that names it")
  func change() throws {
    let path = folder.write("tern", DebugFileIndexTests.elf(symbols: ["f"]))
    let index = try index(of: [path])
    let image = LoadedImage(name: "tern")
    #expect(try index.candidates(for: image).count == 1)
    let other = try self.index(of: [path])
    folder.write("tern", DebugFileIndexTests.elf(id: [1], symbols: ["g", "h"]))
    #expect {
      _ = try other.candidates(for: image)
    } throws: { error in
      "\(error)".contains(path) && "\(error)".contains("symbols index")
    }
    unlink(path)
    #expect(throws: ChangedSymbols.self) { _ = try other.unusable(for: image) }
  }

  @Test("A relative path is indexed as an absolute one")
  func relative() throws {
    var writer = SymbolIndexWriter(engine: "mayday 1")
    writer.add(["./none"])
    #expect(writer.refusals.first?.path.hasPrefix("/") == true)
    #expect(writer.refusals.first?.path.hasSuffix("/none") == true)
  }

  // MARK: Damage

  private func bytes() throws -> [UInt8] {
    for number in 0..<300 {
      folder.write("\(number)/a", DebugFileIndexTests.elf(id: [UInt8(number % 250), 1]))
    }
    var writer = SymbolIndexWriter(engine: "mayday 1")
    writer.add([folder.path("")])
    var bytes: [UInt8] = []
    try writer.write { bytes += $0.array }
    return bytes
  }

  private func readAll(_ bytes: ByteView) throws {
    let file = try SymbolIndexFile(bytes)
    for number in 0..<file.count { _ = try file.file(number) }
    for number in 0..<256 { _ = try file.files(by: .codeID(String(number, radix: 16))) }
    #expect(try file.files(by: .name("a")).count == 300)
  }

  @Test("A changed or cut index is refused, and never finds less")
  func damage() throws {
    let bytes = try bytes()
    try readAll(ByteView(bytes))
    var random = SplitMix(seed: TestSize.seed)
    for _ in 0..<TestSize.of(small: 300, all: 5_000) {
      var changed = bytes
      changed[random.below(bytes.count)] ^= UInt8(1 << random.below(8))
      #expect(throws: (any Error).self) { try readAll(ByteView(changed)) }
      let end = random.below(bytes.count)
      #expect(throws: (any Error).self) { try readAll(ByteView(bytes).clamped(0..<end)) }
    }
  }

  @Test("Any bytes give an error or files, and no end of the program")
  func mutations() throws {
    let bytes = try bytes()
    var outcomes = Outcomes()
    for copy in Mutator.binary(
      bytes, count: TestSize.of(small: 300, all: 5_000), seed: TestSize.seed)
    {
      outcomes.count {
        let file = try SymbolIndexFile(ByteView(copy), checksSums: false)
        for number in 0..<min(file.count, 1_000) { _ = try file.file(number) }
        for number in 0..<64 { _ = try file.files(by: .codeID(String(number, radix: 16))) }
      }
    }
    #expect(outcomes.isMixed)
  }

  @Test("A file of a later version, and one of another kind, are named")
  func foreign() throws {
    var later = try bytes()
    later[8] = 2
    #expect { try readAll(ByteView(later)) } throws: { "\($0)".contains("version 2") }
    #expect(!IndexedSymbols.isIndex(folder.write("text", "no index".utf8)))
  }
}
