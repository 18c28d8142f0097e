import Bytes
import Identifiers
import TestSupport
import Testing

@testable import ObjectFormats

/// PE files and PDBs, compared with the output of llvm-readobj-14 and llvm-pdbutil-14.
@Suite struct WindowsTests {
  private static let folder = Samples.debugFile("windows")

  private func object(_ name: String) throws -> ObjectFile {
    try #require(try ObjectFile.objects(in: ByteView(mapping: "\(Self.folder)/\(name)")).first)
  }

  @Test(
    "Instruction sets and sizes of addresses",
    arguments: [
      ("pdb-x86_64-O1", Architecture.x86_64, 8), ("pdb-aarch64", .arm64, 8), ("pdb-arm", .arm, 4),
      ("pdb-i386", .i386, 4),
    ])
  func architectures(name: String, architecture: Architecture, size: Int) throws {
    for ending in [".exe", ".pdb"] {
      let object = try object(name + ending)
      #expect(object.architecture == architecture)
      #expect(object.addressSize == size)
      #expect(object.endianness == .little)
    }
  }

  @Test("A program leads to its PDB by name and id")
  func link() throws {
    let program = try object("pdb-x86_64-O1.exe")
    let database = try object("pdb-x86_64-O1.pdb")
    #expect(program.container == .pe)
    #expect(program.kind == .executable)
    #expect(program.pe?.programDatabase == "pdb-x86_64-O1.pdb")
    #expect(program.imageBase == 0x1_4000_0000)
    #expect(!program.hasDebugInfo)
    #expect(!program.hasSymbols)
    #expect(database.container == .pdb)
    #expect(database.kind == .debugFile)
    #expect(database.hasDebugInfo)
    #expect(database.hasSymbols)
    #expect(database.codeID == nil)
    #expect(database.debugID == program.debugID)
    #expect(database.debugID?.age == 1)
    let names = try database.symbolTable()
    #expect(names.symbols.contains { names.name(of: $0) == "crane_lift" })
  }

  @Test("MinGW: long section names, a build id, and names with and without debug information")
  func mingw() throws {
    let program = try object("mingw-x86_64.exe")
    #expect(program.hasDebugInfo)
    #expect(program.section(named: "debug_info")?.name == ".debug_info")
    #expect(program.debugID?.isZero == false)
    #expect(program.pe?.programDatabase == nil)
    let stripped = try object("mingw-stripped.exe")
    #expect(stripped.debugID == program.debugID)
    #expect(!stripped.hasDebugInfo)
    #expect(!stripped.hasSymbols)
    let library = try object("exports.dll")
    #expect(library.kind == .library)
    let exports = try library.symbolTable()
    #expect(exports.symbols.map { exports.name(of: $0) }.contains("tide_steepest"))
  }

  /// The starts and ends are those that `llvm-readobj --unwind` prints.
  @Test("An exported name extends to the end of its function in the unwind table")
  func exportBounds() throws {
    let library = try object("exports.dll")
    let table = try library.symbolTable()
    let ranges = Dictionary(
      uniqueKeysWithValues: table.symbols.map { symbol in
        let start = symbol.address - library.imageBase
        return (table.name(of: symbol), start..<(start + symbol.size))
      })
    #expect(
      ranges == [
        "_start": 0x1094..<0x10ef, "tide_clamp": 0x1000..<0x1020, "tide_steepest": 0x10f0..<0x1144,
        "tide_thrice": 0x1040..<0x106a, "tide_triple": 0x106a..<0x1094,
        "tide_unused": 0x1020..<0x102f, "tide_unused_too": 0x102f..<0x103e,
      ])
  }

  @Test("Without that table, as on x86, an exported name applies only at its own address")
  func exportsWithoutBounds() throws {
    var bytes = try ByteView(mapping: Self.folder + "/exports.dll").array
    let header = Int(bytes[60]) | Int(bytes[61]) << 8
    // The fourth data directory of a 64-bit optional header.
    for index in 0..<8 { bytes[header + 24 + 112 + 3 * 8 + index] = 0 }
    let library = try #require(try ObjectFile.objects(in: ByteView(bytes)).first)
    let symbols = try library.symbolTable().symbols
    #expect(symbols.count == 7)
    #expect(symbols.allSatisfy { $0.size == 1 })
  }

  /// The offsets are those of the `.text` symbols that `objdump -t` prints, after the section's start.
  @Test("The start of an object file's code ends the function before it")
  func objectFiles() throws {
    let program = try object("mingw-x86_64.exe")
    let table = try program.symbolTable()
    let starts = table.symbols.filter { $0.nameCount == 0 }.map(\.address)
    #expect(starts == [0, 0x40, 0xf0].map { program.imageBase + 0x1000 + $0 })
    #expect(try object("mingw-stripped.exe").symbolTable().symbols.isEmpty)
  }

  @Test("The code id is the time stamp in eight digits and the size of the image")
  func codeID() throws {
    let bytes = try ByteView(mapping: Self.folder + "/mingw-x86_64.exe").array
    let place = Int(bytes[60]) | Int(bytes[61]) << 8
    var copy = bytes
    copy.replaceSubrange((place + 8)..<(place + 12), with: [0xf2, 0x13, 0xcf, 0x03])
    copy.replaceSubrange((place + 80)..<(place + 84), with: [0, 0xf0, 1, 0])
    let object = try ObjectFile.objects(in: ByteView(copy))[0]
    #expect(object.codeID?.description == "03cf13f21f000")
  }

  @Test("Older PDBs and those of .NET are refused by name")
  func refused() {
    let old = Array("Microsoft C/C++ program database 2.00\r\n\u{1a}JG\0\0".utf8)
    for (bytes, word) in [(old, "PDB 2.0"), (Array("BSJB\u{1}\0\u{1}\0".utf8), "portable PDB")] {
      #expect(ObjectFile.isObject(ByteView(bytes)))
      let error = #expect(throws: ParseError.self) {
        try ObjectFile.objects(in: ByteView(bytes))
      }
      #expect(error?.description.contains(word) == true)
    }
  }

  @Test("Programs of MS-DOS and truncated ones are not PE files")
  func notPE() throws {
    var stub = [UInt8](repeating: 0, count: 128)
    stub[0] = 0x4d
    stub[1] = 0x5a
    #expect(!ObjectFile.isObject(ByteView(stub)))
    stub[60] = 64
    #expect(!ObjectFile.isObject(ByteView(stub)))
    let bytes = try ByteView(mapping: Self.folder + "/pdb-i386.exe")
    for length in stride(from: 64, to: 512, by: 8) {
      #expect(ObjectFile.isObject(bytes.clamped(0..<length)))
      #expect(throws: ParseError.self) {
        try ObjectFile.objects(in: bytes.clamped(0..<min(length, 300)))
      }
    }
  }

  @Test("Source files inside a PDB")
  func embedded() throws {
    let database = try #require(try object("pdb-embedded.pdb").pdb)
    let sources = try database.embeddedSources()
    #expect(sources.map(\.path) == ["/app/src/tide.natvis"])
    let source = try #require(sources.first)
    let text = try database.contents(of: source).text
    #expect(text.hasPrefix("<?xml"))
    #expect(text.utf8.count == Int(source.size))
    #expect(try object("pdb-i386.pdb").pdb?.embeddedSources().isEmpty == true)
  }

  @Test("Blocks that are named twice are refused: a small file would become a large one")
  func blocksTwice() throws {
    var bytes = try ByteView(mapping: Self.folder + "/pdb-i386.pdb").array
    func number(_ place: Int) -> Int {
      (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }
    // The directory's first block; its first numbers are the count and the sizes of the streams.
    let directory = number(number(52) * number(32)) * number(32)
    for byte in 0..<3 { bytes[directory + 4 + 4 * 2 + byte] = 0xff }
    let error = #expect(throws: ParseError.self) { try ObjectFile.objects(in: ByteView(bytes)) }
    #expect(error?.description.contains("blocks in") == true)
  }
}
