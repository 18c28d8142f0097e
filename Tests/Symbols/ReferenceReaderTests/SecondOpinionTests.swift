import Bytes
import Glibc
import ObjectFormats
import ReferenceReader
import TestSupport
import Testing

@Suite("Cross-check")
struct ReferenceReaderTests {
  private static let folder = "Symbols/variants/"

  private static func report(_ name: String, of other: String? = nil) throws -> CrossCheckReport {
    let bytes = try ByteView(mapping: folder + name)
    let object = try #require(try ObjectFile.objects(in: bytes).first)
    return try CrossCheck.report(
      on: object, at: folder + (other ?? name), program: BuiltProgram.mayday)
  }

  @Test(
    "Both readers agree on all of the code",
    arguments: [
      "aarch64", "armv7a", "cold-split-dwarf4.debug", "cold-split.debug", "compressed-zlib",
      "compressed-zlib-gnu", "cpp-clang", "cpp-gcc", "dwarf2-clang", "dwarf2-gcc", "dwarf3-clang",
      "dwarf3-gcc", "dwarf4-clang", "dwarf4-gcc", "dwarf5-clang", "dwarf5-gcc", "dwarf64-clang",
      "dwz-gcc", "g1-gcc", "gc-sections-bfd", "gc-sections-gcc-dwarf4", "gc-sections-lld", "i386",
      "icf", "line-tables-only-clang", "lto-clang", "mips", "powerpc", "powerpc64", "riscv64",
      "s390x", "type-units-gcc", "unoptimised-clang", "unoptimised-gcc",
    ])
  func agreement(name: String) throws {
    let report = try Self.report(name)
    #expect(report.differences.map { "\($0)" } == [])
    #expect(report.covered.contains("lines"))
    #expect(report.problems == [])
    // The smallest, after link-time optimization, is one function of six rows.
    #expect(report.rows >= 6 && report.compared >= 6)
  }

  @Test("Facts that it cannot know are listed", arguments: ["compressed-zstd", "stripped"])
  func coverage(name: String) throws {
    let report = try Self.report(name)
    #expect(report.unexplained == 0)
    #expect(!report.covered.contains("lines"))
    #expect(report.notCovered.count == 1)
  }

  @Test("Two different files differ, in the container and in the code")
  func differences() throws {
    let report = try Self.report("dwarf4-gcc", of: "unoptimised-gcc")
    let kinds = Set(report.differences.map(\.kind))
    #expect(kinds.isSuperset(of: [.container, .line]))
    #expect(report.unexplained == report.differenceCount)
  }

  @Test("A symbol with its version in one table and without it in the other is the same")
  func versionedSymbols() throws {
    var file = ObjectBuilderELF()
    let text = ObjectBuilderELF.Section(
      ".text", flags: 6, address: 0x1000, contents: Array(repeating: 0x90, count: 64))
    file.sections = [text]
    file.add(symbols: [.init("moor@@TIDE_1.1", 0x1000, size: 8), .init("moor@TIDE_1.0", 0x1010)])
    file.add(
      symbols: [.init("moor", 0x1000, size: 8), .init("moor", 0x1020)], as: ".dynsym", type: 11)
    let folder = ScratchFolder()
    let path = folder.write("versions", file.build())
    let object = try #require(try ObjectFile.objects(in: ByteView(mapping: path)).first)
    let report = try CrossCheck.report(on: object, at: path, program: BuiltProgram.mayday)
    #expect(report.differences.map(\.second) == ["symbol moor"])
    #expect(report.differences.map(\.addresses.lowerBound) == [0x1020])
    withExtendedLifetime(folder) {}
  }

  @Test("Other containers are refused by name")
  func otherContainers() throws {
    #expect(throws: ReferenceReaderError.notCovered("machO")) {
      try Self.report("macho-symtab-only-arm64.dylib")
    }
  }

  @Test("Damaged files give a report or an error, whatever happens to the libraries")
  func damage() throws {
    let bytes = try ByteView(reading: Self.folder + "cpp-gcc", limit: 1 << 20).array
    let folder = ScratchFolder()
    var limits = ReferenceLimits()
    limits.seconds = 10
    for (index, copy) in Mutator.binary(bytes, count: 24, seed: 7).enumerated() {
      let path = folder.write("damaged-\(index)", copy)
      guard let object = try? ObjectFile.objects(in: ByteView(copy)).first else {
        continue
      }
      do {
        let report = try CrossCheck.report(
          on: object, at: path, program: BuiltProgram.mayday, limits: limits)
        #expect(report.differences.count <= limits.differences)
      } catch is ReferenceReaderError {
      } catch is ParseError {
      }
    }
  }

  @Test("A program that gives another result is detected")
  func wrongAnswers() throws {
    let bytes = try ByteView(mapping: Self.folder + "plain")
    let object = try #require(try ObjectFile.objects(in: bytes).first)
    #expect(throws: ReferenceReaderError.wrongAnswer("no record begins with 95")) {
      // Prints its arguments: "__reference-reader"...
      try CrossCheck.report(on: object, at: Self.folder + "plain", program: "/bin/echo")
    }
    #expect(throws: ReferenceReaderError.died("ended with status 1")) {
      try CrossCheck.report(on: object, at: Self.folder + "plain", program: "/bin/false")
    }
  }
}
