import Bytes
import Testing

@Suite struct ByteReaderTests {
  @Test("Numbers come in the reader's byte order")
  func numbers() throws {
    let view = ByteView([1, 2, 3, 4, 5, 6, 7, 8])
    var little = ByteReader(view.bytes, reading: "test")
    #expect(try little.read(UInt16.self) == 0x0201)
    #expect(try little.readUnsigned(size: 3) == 0x050403)
    var big = ByteReader(view.bytes, reading: "test", endianness: .big)
    #expect(try big.read(UInt32.self) == 0x0102_0304)
    #expect(try big.readUnsigned(size: 3) == 0x050607)
  }

  @Test(
    "LEB128 as in the standard's examples",
    arguments: zip(
      [[2], [127], [0x80, 1], [0x81, 1], [0xb9, 0x64], [0x80, 0x80, 0]] as [[UInt8]],
      [2, 127, 128, 129, 12857, 0] as [UInt64]))
  func unsignedLEB128(bytes: [UInt8], value: UInt64) throws {
    let view = ByteView(bytes)
    var reader = ByteReader(view.bytes, reading: "test")
    #expect(try reader.readULEB128() == value)
    let isAtEnd = reader.isAtEnd
    #expect(isAtEnd)
  }

  @Test(
    "Signed LEB128 as in the standard's examples",
    arguments: zip(
      [[2], [0x7e], [0xff, 0], [0x81, 0x7f], [0x80, 1], [0x80, 0x7f]] as [[UInt8]],
      [2, -2, 127, -127, 128, -128] as [Int64]))
  func signedLEB128(bytes: [UInt8], value: Int64) throws {
    let view = ByteView(bytes)
    var reader = ByteReader(view.bytes, reading: "test")
    #expect(try reader.readSLEB128() == value)
  }

  @Test("A number over 64 bits is refused")
  func overlongLEB128() {
    let view = ByteView([UInt8](repeating: 0xff, count: 10) + [1])
    #expect(throws: ParseError.self) {
      var reader = ByteReader(view.bytes, reading: "test")
      _ = try reader.readULEB128()
    }
  }

  @Test("The end of the bytes is an error with the offset", arguments: 0..<8)
  func truncated(length: Int) {
    let view = ByteView([UInt8](repeating: 7, count: length))
    let error = #expect(throws: ParseError.self) {
      var reader = ByteReader(view.bytes, reading: "header", base: 0x100)
      _ = try reader.read(UInt64.self)
    }
    #expect(error?.description == "header: 8 bytes needed at 0x100, \(length) left")
  }

  @Test("A part outside the view is an error, also where the sum overflows")
  func slices() throws {
    let view = ByteView([1, 2, 3, 4])
    #expect(try view.slice(at: 1, count: 2, of: "part").array == [2, 3])
    #expect(throws: ParseError.self) { try view.slice(at: 5, count: 0, of: "part") }
    #expect(throws: ParseError.self) { try view.slice(at: 1, count: .max, of: "part") }
    #expect(throws: ParseError.self) { try view.slice(at: .max, count: 2, of: "part") }
  }
}
