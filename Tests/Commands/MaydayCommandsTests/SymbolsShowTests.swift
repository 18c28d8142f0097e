import Bytes
import JSON
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport

@Suite("symbols show")
struct SymbolsShowTests {
  private static let variants = Samples.debugFile("variants/")

  private static func shown(_ path: String, _ more: [String] = []) throws -> [JSONValue] {
    let run = Run(["symbols", "show", path, "--json"] + more)
    #expect(run.status == 0 && run.errors == "")
    return try JSONDocument.parse(ByteView(Array(run.output.utf8))).value.array ?? []
  }

  struct Truth: Sendable, CustomTestStringConvertible {
    let file: String
    let units: Int
    let version: Int
    let languages: [String: Int]
    let producer: String
    let inlinedCalls: Int

    var testDescription: String { file }
  }

  /// Units, versions, languages and producers by `readelf --debug-dump=info`, inlined calls by
  /// `llvm-dwarfdump --debug-info FILE | grep -c inlined_subroutine`.
  @Test(
    "A file says who compiled it and what it holds",
    arguments: [
      Truth(
        file: "cpp-gcc", units: 4, version: 5, languages: ["C11": 3, "C++14": 1],
        producer: "GNU C11 12.2.0 -mtune=generic -march=x86-64 -g -O2", inlinedCalls: 15),
      Truth(
        file: "dwarf2-gcc", units: 3, version: 2, languages: ["C99": 3],
        producer: "GNU C11 12.2.0", inlinedCalls: 3),
    ])
  func contents(truth: Truth) throws {
    let file = try #require(try Self.shown(Self.variants + truth.file).first)
    let dwarf = try #require(file["dwarf"])
    #expect(dwarf["units"]?.integer == truth.units)
    #expect(dwarf["versions"]?.array?.first?["version"]?.integer == truth.version)
    let languages = dwarf["languages"]?.array ?? []
    #expect(languages.count == truth.languages.count)
    for language in languages {
      let units = truth.languages[language["name"]?.string ?? ""]
      #expect(language["units"]?.integer == units)
    }
    let producers = dwarf["producers"]?.array ?? []
    #expect(producers.first?["name"]?.string?.hasPrefix(truth.producer) == true)
    #expect(file["contains"]?["inlined_calls"]?.integer == truth.inlinedCalls)
    #expect(file["cache"]?["size"]?.integer ?? 0 > 0)
    #expect(file["added"] == nil)
  }

  @Test("Languages and producers of split units come from their split files")
  func split() throws {
    let program = Samples.debugFile("companions/dwo5-clang/tide")
    let file = try #require(try Self.shown(program).first)
    #expect(file["dwarf"]?["split_units"]?.integer == 4)
    #expect(file["dwarf"]?["producers"]?.array?.first?["units"]?.integer == 4)
    let text = Run(["symbols", "show", program]).output
    #expect(text.contains("4 units go on in other files, 4 here"))
    #expect(text.contains("C11 (3 units), C++14 (1 unit)"))
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  /// By `llvm-dwarfdump --debug-info tide.dwp`.
  @Test(
    "A package of split units says who compiled them, alone and beside its program",
    arguments: [
      ("package5-clang", 5, "clang version 21.0.0 ", ["C11": 3, "C++14": 1]),
      ("package4-gcc", 4, "GNU C11 12.2.0 ", ["C99": 3, "C++": 1]),
    ])
  func package(folder: String, version: Int, producer: String, languages: [String: Int]) throws {
    let program = Samples.debugFile("companions/\(folder)/tide")
    for path in [program, program + ".dwp"] {
      let dwarf = try #require(try Self.shown(path).first?["dwarf"])
      #expect(dwarf["units"]?.integer == 4)
      #expect(dwarf["versions"]?.array?.first?["version"]?.integer == version)
      let names = dwarf["producers"]?.array?.compactMap { $0["name"]?.string } ?? []
      #expect(names.first?.hasPrefix(producer) == true, "\(path): \(names)")
      let found = (dwarf["languages"]?.array ?? []).map {
        ($0["name"]?.string ?? "", $0["units"]?.integer ?? 0)
      }
      #expect(Dictionary(found) { $0 + $1 } == languages)
    }
    let text = Run(["symbols", "show", program + ".dwp"]).output
    #expect(text.contains("Kind      split") && text.contains("Producer  " + producer.prefix(5)))
  }

  /// By `llvm-pdbutil dump -symbols`: the records S_COMPILE3, without those of the linker.
  @Test(
    "A PDB says who compiled its modules",
    arguments: [
      ("pdb-x86_64-O2", ["C": 3, "C++": 2]), ("pdb-aarch64", ["C": 3, "C++": 2]),
      ("pdb-i386", ["C": 3, "C++": 2]),
    ])
  func modules(name: String, languages: [String: Int]) throws {
    let path = Samples.debugFile("windows/\(name).pdb")
    let file = try #require(try Self.shown(path).first)
    let modules = try #require(file["modules"])
    #expect(modules["count"]?.integer == 5)
    let found = (modules["languages"]?.array ?? []).map {
      ($0["name"]?.string ?? "", $0["modules"]?.integer ?? 0)
    }
    #expect(Dictionary(found) { $0 + $1 } == languages)
    let producers = modules["producers"]?.array ?? []
    #expect(producers.count == 1 && producers.first?["modules"]?.integer == 5)
    #expect(producers.first?["name"]?.string?.hasPrefix("clang version 21.0.0 (") == true)
    let text = Run(["symbols", "show", path]).output
    #expect(text.contains("Language  C (3 modules), C++ (2 modules)"))
  }

  @Test("All architectures are shown, or the requested one; a PDB has no DWARF")
  func others() throws {
    let bundle = Samples.debugFile("apple/1.0.0/macos/Tern.app.dSYM")
    #expect(
      try Self.shown(bundle).compactMap { $0["arch"]?.string }.sorted() == ["arm64", "x86_64"])
    #expect(try Self.shown(bundle, ["-a", "arm64"]).map { $0["arch"]?.string } == ["arm64"])
    #expect(Run(["symbols", "show", bundle, "-a", "mips"]).status == 3)
    let pdb = try #require(
      try Self.shown(Samples.debugFile("windows/pdb-x86_64-O2.pdb")).first)
    #expect(pdb["dwarf"] == nil && pdb["format"]?.string == "pdb")
    #expect(pdb["contains"]?["functions"]?.integer ?? 0 > 0)
    #expect(Run(["symbols", "show", "no/such/file"]).status == 3)
  }
}
