import Bytes
import Identifiers
import TestSupport
import Testing

@testable import ObjectFormats

/// The debug files of the samples, compared with the output of other tools.
@Suite struct SampleTests {
  private func objects(_ path: String) throws -> [ObjectFile] {
    try ObjectFile.objects(in: ByteView(mapping: Samples.debugFile(path)))
  }

  /// The value of a text member in a line of JSON, which has no escapes.
  private func member(_ name: String, in line: Substring) -> Substring? {
    guard let start = line.firstRange(of: "\"\(name)\":\"") else { return nil }
    let rest = line[start.upperBound...]
    return rest.firstIndex(of: "\"").map { rest[..<$0] }
  }

  @Test(
    "Names and starts are those that llvm-symbolizer finds in symbol tables",
    arguments: [
      "symtab-only", "dynsym-only", "minidebug", "minidebug.symbols", "stripped",
      "macho-symtab-only-arm64.dylib", "macho-symtab-only-x86_64.dylib",
    ])
  func symbolTables(name: String) throws {
    let object = try #require(try objects("variants/\(name)").first)
    let table = try object.symbolTable()
    let expected = try ByteView(mapping: Samples.debugFile("expected/variants/\(name).jsonl")).text
    var count = 0
    for line in expected.split(separator: "\n") {
      let address = try #require(
        member("Address", in: line).flatMap { UInt64($0.dropFirst(2), radix: 16) })
      let symbol = table.symbols.last { $0.address <= address }
      let covering = symbol.flatMap { symbol in
        symbol.size == 0 || address - symbol.address < symbol.size ? symbol : nil
      }
      #expect(
        covering.map { table.name(of: $0) } ?? "" == member("FunctionName", in: line) ?? "",
        "\(line)")
      if let covering, let start = member("StartAddress", in: line) {
        #expect("0x" + String(covering.address, radix: 16) == start)
      }
      count += 1
    }
    #expect(count > 10)
  }

  @Test(
    "Instruction sets, sizes of addresses and byte orders",
    arguments: [
      ("aarch64", "arm64", 8, Endianness.little), ("armv7a", "arm", 4, .little),
      ("i386", "i386", 4, .little), ("mips", "mips", 4, .big), ("powerpc", "ppc", 4, .big),
      ("powerpc64", "ppc64", 8, .big), ("riscv64", "riscv64", 8, .little),
      ("s390x", "s390x", 8, .big), ("plain", "x86_64", 8, .little),
    ])
  func architectures(name: String, architecture: String, size: Int, order: Endianness) throws {
    let object = try #require(try objects("variants/\(name)").first)
    #expect(object.architecture.description == architecture)
    #expect(object.addressSize == size)
    #expect(object.endianness == order)
    #expect(object.hasDebugInfo)
    let names = try object.symbolTable()
    #expect(Set(names.symbols.map { names.name(of: $0) }).isSuperset(of: ["_start", "tide_clamp"]))
  }

  @Test(
    "However a section is stored, its bytes are the same",
    arguments: ["compressed-zlib", "compressed-zlib-gnu", "compressed-zstd"])
  func compression(name: String) throws {
    let plain = try #require(try objects("variants/plain").first)
    let object = try #require(try objects("variants/\(name)").first)
    var compressed = 0
    for section in plain.sections where section.name.hasPrefix(".debug_") {
      let other = try #require(object.section(named: String(section.name.dropFirst())))
      #expect(try object.contents(of: other).array == plain.contents(of: section).array)
      if other.compression != .none { compressed += 1 }
    }
    #expect(compressed > 2)
  }

  @Test("A build without a build id has the id that symbolic gives it")
  func withoutBuildID() throws {
    let object = try #require(try objects("variants/no-build-id").first)
    #expect(object.codeID == nil)
    #expect(object.debugID?.description == "b14a8ff2-b954-12e4-de31-61f31f44fa1b")
  }

  @Test("A debug link holds the checksum of its file")
  func debugLink() throws {
    let link = try #require(try objects("variants/debuglink").first?.elf?.debugLink)
    let file = try ByteView(mapping: Samples.debugFile("variants/\(link.name)"))
    #expect(DebugLink.checksum(of: file) == link.checksum)
  }

  @Test("The ids of the Apple samples", arguments: ["1.0.0", "1.1.0"])
  func apple(version: String) throws {
    let list = try ByteView(mapping: Samples.debugFile("apple/build-ids.tsv")).text
    for system in ["ios", "macos"] {
      let program = try objects("apple/\(version)/\(system)/Tern")
      let bundle = "apple/\(version)/\(system)/Tern.app.dSYM/Contents/Resources/DWARF/Tern"
      let debug = try objects(bundle)
      #expect(program.map(\.debugID) == debug.map(\.debugID))
      #expect(program.map(\.imageBase) == debug.map(\.imageBase))
      #expect(program.map(\.architecture) == debug.map(\.architecture))
      #expect(debug.allSatisfy { $0.kind == .debugFile && $0.hasDebugInfo })
      for object in debug {
        let id = try #require(object.debugID).description.uppercased()
        #expect(list.contains("\(id)\t"))
      }
    }
  }
}
