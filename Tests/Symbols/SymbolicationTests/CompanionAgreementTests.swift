import Bytes
import DWARF
import Identifiers
import JSON
import ObjectFormats
import SymbolCache
import SymbolSources
import TestSupport
import Testing

/// Programs whose debug information continues in other files, and objects before linking.
/// llvm-symbolizer's results for each are beside it (`Symbols/recipes/companions.sh`).
@Suite struct SupplementaryAgreementTests {
  private static let folder =
    Samples.debugFile("companions")

  private static let split = [
    "dwo4-clang", "dwo4-gcc", "dwo5-clang", "dwo5-gcc", "dwo4-s390x", "types4-gcc", "types5-gcc",
    "single4-clang", "single5-clang",
  ]
  private static let packages = ["package4-gcc", "package5-clang"]
  private static let shared = ["shared4", "shared5"]
  private static let objects = ["object4-clang", "object4-gcc", "object5-clang", "object5-gcc"]

  /// The program `tide` of a folder, with the files beside it.
  private func program(_ path: String) throws -> DebugFile {
    let scan = DebugFileScanner().scan([path + "/tide"])
    #expect(scan.refusals.isEmpty)
    return DebugFileIndex(scan).complete(try #require(scan.files.first))
  }

  private func cache(_ file: DebugFile) throws -> SymbolCache {
    let compiled = try SymbolCache.compiling(file.object, supplementary: file.supplementary)
    #expect(compiled.notes.isEmpty)
    return try SymbolCache(opening: compiled.bytes)
  }

  private func answers(_ name: String) throws -> [(address: UInt64, frames: [String])] {
    let text = try ByteView(reading: "\(Self.folder)/\(name)/expected.jsonl", limit: 1 << 20).text
    return try text.split(separator: "\n").map { line in
      let answer = try JSONDocument.parse(ByteView(line.utf8)).value
      let address = try #require(answer["Address"]?.string)
      let frames = answer["Symbol"]?.array ?? []
      return (
        try #require(UInt64(address.dropFirst(2), radix: 16)),
        frames.map { frame in
          "\(frame["FunctionName"]?.string ?? "") \(frame["FileName"]?.string ?? ""):"
            + "\(frame["Line"]?.integer ?? 0):\(frame["Column"]?.integer ?? 0)"
        }
      )
    }
  }

  /// The addresses at which the result differs from llvm-symbolizer's.
  private func differences(_ cache: SymbolCache, _ name: String) throws -> [String] {
    var found: [SourceFrame] = []
    let answers = try answers(name)
    #expect(answers.contains { $0.frames.count > 1 })
    return answers.compactMap { answer in
      cache.lookUp(ImageOffset(answer.address - cache.imageBase), into: &found)
      let frames = found.map {
        "\($0.name ?? "") \($0.file ?? ""):\($0.line ?? 0):\($0.column ?? 0)"
      }
      return frames == answer.frames
        ? nil : "0x\(String(answer.address, radix: 16)): \(frames), not \(answer.frames)"
    }
  }

  @Test(
    "What lies in other files is found beside the program", arguments: split + packages + shared)
  func beside(name: String) throws {
    let file = try program("\(Self.folder)/\(name)")
    #expect(file.missingParts.isEmpty)
    #expect(!file.supplementaryFiles.isEmpty)
    #expect(try differences(cache(file), name) == [])
  }

  @Test("Code sections before linking are placed one after the other", arguments: objects)
  func beforeLinking(name: String) throws {
    let file = try program("\(Self.folder)/\(name)")
    #expect(file.object.kind == .relocatable)
    #expect(file.debugID != nil)
    #expect(try differences(cache(file), name) == [])
  }

  @Test("Given files are found by their ids, whatever their names", arguments: split + shared)
  func given(name: String) throws {
    let scratch = ScratchFolder()
    let source = "\(Self.folder)/\(name)"
    let all = DebugFileScanner().scan([source])
    let names = Set(all.files.map(\.name) + all.supplementary.map(\.name))
    #expect(names.count > 1)
    for (number, file) in names.enumerated() {
      let bytes = try ByteView(reading: "\(source)/\(file)", limit: 1 << 20)
      scratch.write(file == "tide" ? "app/tide" : "files/\(number)", bytes.array)
    }
    let scan = DebugFileScanner().scan([scratch.path("files"), scratch.path("app")])
    let app = try #require(scan.files.first { $0.name == "tide" })
    let file = DebugFileIndex(scan).complete(app)
    #expect(file.missingParts.isEmpty)
    #expect(try differences(cache(file), name) == [])
  }

  @Test(
    "Missing files are named; lines and functions stay", arguments: ["dwo4-gcc", "dwo5-clang"])
  func missing(name: String) throws {
    let scratch = ScratchFolder()
    let bytes = try ByteView(reading: "\(Self.folder)/\(name)/tide", limit: 1 << 20)
    scratch.write("tide", bytes.array)
    let file = try program(scratch.path)
    #expect(file.missingParts.count == 4)
    let compiled = try SymbolCache.compiling(file.object, supplementary: file.supplementary)
    #expect(compiled.notes.count == 4)
    #expect(compiled.notes.allSatisfy { $0.contains("/app/build/") && $0.contains("0x") })
    let cache = try SymbolCache(opening: compiled.bytes)
    #expect(cache.hasLines)
    let whole = try program("\(Self.folder)/\(name)")
    #expect(whole.digest != file.digest)
    #expect(whole.digest == (try program("\(Self.folder)/\(name)").digest))
  }

  @Test("One thread and many give the same bytes", arguments: split + packages)
  func threads(name: String) throws {
    let file = try program("\(Self.folder)/\(name)")
    var options = CacheOptions()
    options.width = 4
    options.limits.smallestShare = 16
    let many = try SymbolCache.compiling(
      file.object, supplementary: file.supplementary, options: options)
    let one = try SymbolCache.compiling(file.object, supplementary: file.supplementary)
    #expect(one.bytes.array == many.bytes.array)
  }
}
