import Bytes
import Testing

@Suite("Hexadecimal digits")
struct HexadecimalTests {
  @Test("Numbers are written with 0x, or with a given number of digits")
  func numbers() {
    #expect([0, 10, 255, 4096].map(\.hexadecimal) == ["0x0", "0xa", "0xff", "0x1000"])
    #expect(UInt64.max.hexadecimal == "0xffffffffffffffff")
    #expect(10.hexadecimalDigits(4) == "000a" && 65_536.hexadecimalDigits(2) == "10000")
    #expect(UInt8(0).hexadecimalDigits(0) == "0")
  }

  @Test("Bytes are written in two digits each, and read again in either letter case")
  func bytes() {
    let bytes = (0...255).map { UInt8($0) }
    let text = bytes.hexadecimalDigits
    #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff") && text.utf8.count == 512)
    #expect([UInt8](hexadecimal: text) == bytes)
    #expect([UInt8](hexadecimal: text.uppercased()) == bytes)
    #expect([UInt8](hexadecimal: "") == [])
    for text in ["0", "0g", "g0", " 0", "+1", "-1", "0x00", "\u{661}0"] {
      #expect([UInt8](hexadecimal: text) == nil)
    }
  }
}
