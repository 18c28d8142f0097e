import Bytes
import FlatFile
import Identifiers
import TestSupport
import Testing

@Suite("Flat files")
struct FlatFileTests {
  private static func layout(_ sums: FlatFileLayout.Sums) -> FlatFileLayout {
    FlatFileLayout(
      name: "test file", magic: "MAYTEST", version: 3, headerSize: 192, sectionCount: 3,
      countOffset: 108, tableOffset: 112, alignment: 16, trailingZeros: 4, sums: sums)
  }

  private static func file(_ layout: FlatFileLayout) throws -> [UInt8] {
    var writer = FlatFileWriter(layout)
    writer.append([ByteView([1, 2, 3]), ByteView([4, 5])])
    writer.append([])
    writer.append([ByteView(Array(0..<100))])
    let subject = FlatFileSubject(
      debugID: DebugID(uuid: Array(1...16), age: 7), architecture: .arm64, imageBase: 0x1000)
    return writer.finish(subject, flags: 9, fields: [(104, [0xaa, 0xbb])]).joined.array
  }

  @Test(
    "What is written is read again", arguments: [FlatFileLayout.Sums.simple, .wide(reach: 256)])
  func roundTrip(sums: FlatFileLayout.Sums) throws {
    let layout = Self.layout(sums)
    let bytes = try Self.file(layout)
    #expect(Array(bytes[0..<12]) == Array("MAYTEST".utf8) + [0, 3, 0, 0, 0])
    #expect(Array(bytes[104..<106]) == [0xaa, 0xbb] && bytes[108] == 3)
    let header = try FlatFileHeader(opening: ByteView(bytes), layout, checksSum: true)
    #expect(header.flags == 9 && header.sections == [192..<197, 208..<208, 208..<308])
    #expect(header.subject.debugID == DebugID(uuid: Array(1...16), age: 7))
    #expect(header.subject.architecture == .arm64 && header.subject.imageBase == 0x1000)
    var contents: [UInt8] = [1, 2, 3, 4, 5]
    contents += Array(repeating: 0, count: 11)
    contents += Array(0..<100)
    contents += Array(repeating: 0, count: 16)
    #expect(Array(bytes[192...]) == contents)
    try layout.verify(ByteView(bytes))
  }

  @Test(
    "Every damaged byte is seen, and no prefix is a file",
    arguments: [FlatFileLayout.Sums.simple, .wide(reach: 256)])
  func damage(sums: FlatFileLayout.Sums) throws {
    let layout = Self.layout(sums)
    let bytes = try Self.file(layout)
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0x40
      #expect(throws: ParseError.self) {
        _ = try FlatFileHeader(opening: ByteView(damaged), layout, checksSum: true)
        try layout.verify(ByteView(damaged))
      }
      #expect(throws: ParseError.self) {
        _ = try FlatFileHeader(opening: ByteView(bytes.prefix(index)), layout, checksSum: true)
      }
    }
  }
}
