import Bytes
import ObjectFormats
import TestSupport
import Testing

@testable import DebugInfo

/// A PDB whose streams can be changed in place.
private struct PDBImage {
  private(set) var bytes: [UInt8]
  private let blockSize: Int
  private let file: PDBFile

  init(_ name: String) throws {
    let view = try ByteView(mapping: Samples.debugFile("windows/\(name)"))
    bytes = view.array
    blockSize = Int(view.number(at: 32, size: 4))
    file = try #require(try ObjectFile.objects(in: view).first?.pdb)
  }

  static let debugStream = 3
  static let itemStream = 4

  /// Stream number of the first module.
  var moduleStream: Int { get throws { try #require(file.modules().first?.stream) } }

  func number(_ stream: Int, at offset: Int, size: Int) throws -> Int {
    Int(try file.container.stream(stream).number(at: offset, size: size))
  }

  /// Offset of the first module's subsections in its stream.
  var lines: Int {
    get throws {
      let module = try #require(file.modules().first)
      return 4 + module.symbols(in: try file.container.stream(try moduleStream)).count
    }
  }

  /// Offset of the contents of the first subsection with lines.
  var lineRows: Int {
    get throws {
      let stream = try moduleStream
      var offset = try lines
      while try number(stream, at: offset, size: 4) != 0xf2 {
        offset += 8 + (try number(stream, at: offset + 4, size: 4) + 3) & ~3
      }
      return offset + 8
    }
  }

  /// The stream of the public symbols.
  var publics: Int { get throws { try number(Self.debugStream, at: 16, size: 2) } }

  mutating func set(_ stream: Int, at offset: Int, _ new: [UInt8]) throws {
    let contents = try file.container.stream(stream)
    let start = offset / blockSize * blockSize
    let block = contents.clamped(start..<min(contents.count, start + blockSize)).array
    let position = try #require(
      stride(from: 0, to: bytes.count - blockSize + 1, by: blockSize).first {
        Array(bytes[$0..<($0 + block.count)]) == block
      })
    for (index, byte) in new.enumerated() { bytes[position + offset - start + index] = byte }
  }

  func notes() throws -> [String] {
    let object = try #require(try ObjectFile.objects(in: ByteView(bytes)).first)
    return try ObjectCode(object).notes
  }
}

@Suite("Damage in a PDB")
struct PDBDamageTests {
  @Test(
    "A sound PDB leaves no notes",
    arguments: [
      "pdb-aarch64", "pdb-arm", "pdb-columns", "pdb-embedded", "pdb-folded", "pdb-i386",
      "pdb-lines",
      "pdb-lto", "pdb-x86_64-O0", "pdb-x86_64-O1",
    ])
  func sound(name: String) throws {
    #expect(try PDBImage(name + ".pdb").notes().isEmpty)
  }

  private func notes(_ damage: (inout PDBImage) throws -> Void) throws -> [String] {
    var image = try PDBImage("pdb-x86_64-O1.pdb")
    try damage(&image)
    return try image.notes()
  }

  @Test("Truncated records of a module leave a note")
  func symbols() throws {
    let notes = try notes { try $0.set(try $0.moduleStream, at: 4, [0xff, 0xff]) }
    #expect(
      notes == [
        "PDB module 0: module symbols: a record of 65535 bytes at 0x2"
      ])
  }

  @Test("A module in another format leaves a note")
  func form() throws {
    let notes = try notes { try $0.set(try $0.moduleStream, at: 0, [9]) }
    #expect(notes == ["PDB module 0: module: symbols of form 9 at 0x4 is not supported"])
  }

  @Test("A module whose stream is missing, or too short, leaves a note")
  func streams() throws {
    let absent = try notes { try $0.set(PDBImage.debugStream, at: 64 + 34, [0xf0, 0x7f]) }
    #expect(absent == ["PDB module 0: module: stream 32752, which is not there at 0x0"])
    let short = try notes { try $0.set(PDBImage.debugStream, at: 64 + 36, [0, 0, 0, 1]) }
    #expect(short.contains { $0.hasPrefix("PDB module 0: symbols and lines: 16777") })
  }

  @Test("Truncated subsections and lines leave a note")
  func lines() throws {
    let subsection = try notes {
      try $0.set(try $0.moduleStream, at: try $0.lines + 4, [0xff, 0xff, 0xff, 0x0f])
    }
    #expect(subsection.contains { $0.hasPrefix("PDB module 0: module lines: ") })
    let rows = try notes {
      try $0.set(try $0.moduleStream, at: try $0.lineRows + 16, [0xff, 0xff, 0xff, 0])
    }
    #expect(rows.count == 1 && rows[0].hasPrefix("PDB module 0: lines: 16777215 lines at "))
  }

  @Test("An unknown list of contributions leaves a note, and counts for nothing")
  func contributions() throws {
    let notes = try notes {
      let modules = try $0.number(PDBImage.debugStream, at: 24, size: 4)
      try $0.set(PDBImage.debugStream, at: 64 + modules, [0x12])
    }
    #expect(notes.count == 1 && notes[0].hasPrefix("section contributions: version 0xf12eba12 at "))
  }

  @Test("Truncated items leave a note")
  func items() throws {
    let notes = try notes {
      let header = try $0.number(PDBImage.itemStream, at: 4, size: 4)
      try $0.set(PDBImage.itemStream, at: header, [0xff, 0xff])
    }
    #expect(notes.count == 1 && notes[0].hasPrefix("type records: 65535 bytes needed at "))
  }

  @Test("A public symbol that is not a record leaves a note")
  func publics() throws {
    let notes = try notes {
      let hashes = try $0.number(try $0.publics, at: 0, size: 4)
      try $0.set(try $0.publics, at: 28 + hashes, [0xff, 0xff, 0xff, 0x0f])
    }
    #expect(notes.count == 1 && notes[0].hasPrefix("PDB public symbol: "))
  }

  @Test("Damaged steps of an inlined call are distinguished from the zeros that end them")
  func annotations() {
    func isWhole(_ bytes: [UInt8]) -> Bool {
      var table = Table<InlineAnnotations.LineRange>()
      return InlineAnnotations.read(ByteView(bytes), file: 8, line: 100, into: &table)
    }
    #expect(isWhole([0x03, 0x01, 0x04, 0x02]) && isWhole([0x03, 0x01, 0x04, 0x02, 0, 0]))
    for bytes: [UInt8] in [[0x03, 0x80], [0x03, 0x01, 0xff], [0x0e, 0x01], [0x03]] {
      #expect(!isWhole(bytes))
    }
  }
}
