import Bytes
import Testing

/// The specifications are named in the table.
@Suite("Recognising files by their first bytes")
struct FileMagicTests {
  private static func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// A Windows program: its header is at the offset in byte 60.
  private static func program(at place: UInt8 = 128, signature: String = "PE\0\0") -> [UInt8] {
    ascii("MZ") + [UInt8](repeating: 0, count: 58) + [place, 0, 0, 0]
      + [UInt8](repeating: 0, count: 64) + ascii(signature)
  }

  private static func elf(order: UInt8, type: [UInt8]) -> [UInt8] {
    [0x7f, 0x45, 0x4c, 0x46, 2, order, 1] + [UInt8](repeating: 0, count: 9) + type
  }

  private static func machO(_ magic: [UInt8], type: [UInt8]) -> [UInt8] {
    magic + [UInt8](repeating: 1, count: 8) + type
  }

  @Test(
    "A short mark counts only together with what its specification requires after it",
    arguments: [
      ([0x50, 0x4b, 3, 4], .zip), ([0x50, 0x4b, 5, 6], .emptyZip), ([0x50, 0x4b, 7, 8], .zip),
      (ascii("PK is a name"), nil),
      ([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], .sevenZip), (ascii("7z\u{1}..."), nil),
      ([0x1f, 0x8b, 8, 0], .gzip), ([0x1f, 0x8b, 7, 0], nil),
      ([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], .xz), ([0xfd, 0x37, 0x7a, 0x58, 0x5a, 1], nil),
      (ascii("BZh91AY&SY"), .bzip2), (ascii("BZhang reports a crash"), nil),
      ([4, 0x22, 0x4d, 0x18], .lz4),
      ([0x28, 0xb5, 0x2f, 0xfd], .zstd), ([0x5a, 0x2a, 0x4d, 0x18], .zstd),
      ([0x60, 0x2a, 0x4d, 0x18], nil),
      ([0x78, 0x9c], .zlib), (ascii("xyz"), nil),
      (elf(order: 1, type: [3, 0]), .elf), (elf(order: 1, type: [4, 0]), .elfCore),
      (elf(order: 2, type: [0, 4]), .elfCore), (elf(order: 1, type: [4, 1]), .elf),
      (elf(order: 2, type: [4, 0]), .elf), ([0x7f, 0x45, 0x4c, 0x46], .elf),
      (machO([0xcf, 0xfa, 0xed, 0xfe], type: [10, 0, 0, 0]), .machO),
      (machO([0xcf, 0xfa, 0xed, 0xfe], type: [4, 0, 0, 0]), .machOCore),
      (machO([0xcf, 0xfa, 0xed, 0xfe], type: [4, 1, 0, 0]), .machO),
      (machO([0xfe, 0xed, 0xfa, 0xce], type: [0, 0, 0, 4]), .machOCore),
      ([0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 2], .universalMachO),
      ([0xca, 0xfe, 0xba, 0xbf, 0, 0, 0, 2], .universalMachO),
      ([0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 44], .universalMachO),
      ([0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 45], .javaClass),
      ([0xca, 0xfe, 0xba, 0xbe, 0, 3, 0, 45], .javaClass),
      ([0xca, 0xfe, 0xba, 0xbe, 0xff, 0xff, 0, 65], .javaClass),
      ([0xca, 0xfe, 0xba, 0xbe, 0, 1, 0, 5], nil), ([0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 0], nil),
      ([0xca, 0xfe, 0xba, 0xbf, 0, 0, 0, 45], nil),
      (program(), .windowsProgram), (program(signature: "NE\0\0"), nil),
      (Array(program().prefix(64)), .windowsProgram), (program(at: 0), nil),
      (ascii("MZ wrote this crash report") + [0], nil),
      (ascii("BSJB"), .portablePDB), (ascii("!<arch>\n"), .staticLibrary),
      ([0, 0x61, 0x73, 0x6d], .webAssembly), (ascii("MDMP"), .minidump),
      (ascii("Incident Identifier: x"), nil), ([], nil),
    ] as [([UInt8], FileMagic?)])
  func marks(head: [UInt8], expected: FileMagic?) {
    #expect(FileMagic(of: ByteView(head)) == expected)
  }

  @Test("A tar archive is recognised by the checksum of its header")
  func tar() {
    var head = [UInt8](repeating: 0, count: 512)
    head[0] = 0x61
    for index in 148..<156 { head[index] = 0x20 }
    let sum = String(head.reduce(0) { $0 + Int($1) }, radix: 8)
    for (index, digit) in sum.utf8.enumerated() { head[148 + index] = digit }
    #expect(FileMagic(of: ByteView(head)) == .tar)
    head[1] = 1
    #expect(FileMagic(of: ByteView(head)) == nil)
  }

  @Test("Nothing is both an archive and a debug file, and every prefix is read safely")
  func kinds() {
    for magic in FileMagic.allCases { #expect(!(magic.isArchive && magic.isDebugFile)) }
    for count in 0..<132 {
      let head = Array(Self.program().prefix(count))
      #expect(FileMagic(of: ByteView(head)) == (count < 64 ? nil : .windowsProgram))
    }
  }
}
