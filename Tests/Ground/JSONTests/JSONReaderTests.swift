import Bytes
import JSON
import Testing

@Suite("Pull parser")
struct JSONReaderTests {
  @Test("Members in order, unread values skipped, wrong kinds are nil")
  func walk() throws {
    let text = #"""
      {"a":1,"skipped":{"x":[1,2,{"y":"]}"}]},"b":"two","c":[1,"x",true,null,2.5],"d":{"e":-7}}
      """#
    var seen: [String] = []
    let view = ByteView(text.utf8)
    var reader = JSONReader(view.bytes)
    #expect(try reader.beginObject())
    while try reader.nextKey() {
      seen.append(reader.key)
      if reader.keyIs("a") {
        #expect(try reader.readInt() == 1)
      } else if reader.keyIs("b") {
        #expect(try reader.readInt() == nil)
      } else if reader.keyIs("c") {
        #expect(try reader.beginArray())
        #expect(try reader.nextElement())
        #expect(try reader.readUInt64() == 1)
        #expect(try reader.nextElement())
        #expect(try reader.readString() == "x")
        #expect(try reader.nextElement())
        #expect(try reader.readBool() == true)
        #expect(try reader.nextElement())
        #expect(try reader.peek() == .null)
        #expect(try reader.readString() == nil)
        #expect(try reader.nextElement())
        #expect(try reader.readDouble() == 2.5)
        #expect(try !reader.nextElement())
      } else if reader.keyIs("d") {
        #expect(try reader.beginObject())
        #expect(try reader.nextKey())
        #expect(try reader.readInt() == -7)
        #expect(try !reader.nextKey())
      }
    }
    #expect(seen == ["a", "skipped", "b", "c", "d"])
    #expect(reader.cut == nil)
    #expect(reader.depth == 0)
    #expect(reader.position == view.count)
  }

  @Test(
    "Whole numbers are exact and fit or are nil",
    arguments: [
      ("0", 0, 0), ("-0", 0, 0), ("7", 7, 7), ("-7", -7, nil), ("1.0", 1, 1), ("1e3", 1000, 1000),
      ("1.5", nil, nil), ("9007199254740993", 9_007_199_254_740_993, 9_007_199_254_740_993),
      ("9223372036854775807", Int.max, UInt64(Int.max)), ("-9223372036854775808", Int.min, nil),
      ("9223372036854775808", nil, 1 << 63), ("18446744073709551615", nil, UInt64.max),
      ("18446744073709551616", nil, nil), ("-9999999999999999999", nil, nil),
      ("0000000000000000000000012", 12, 12), ("1e400", nil, nil), ("NaN", nil, nil),
      ("-Infinity", nil, nil), ("nan", nil, nil), ("\"3\"", nil, nil), ("null", nil, nil),
    ] as [(String, Int?, UInt64?)])
  func wholeNumbers(text: String, signed: Int?, unsigned: UInt64?) throws {
    for text in [text, "[\(text)]"] {
      let view = ByteView(text.utf8)
      for isSigned in [true, false] {
        var reader = JSONReader(view.bytes)
        if text.hasPrefix("[") {
          _ = try reader.beginArray()
          _ = try reader.nextElement()
        }
        if isSigned {
          #expect(try reader.readInt() == signed)
        } else {
          #expect(try reader.readUInt64() == unsigned)
        }
        #expect(reader.cut == nil)
      }
    }
  }

  @Test(
    "Strings",
    arguments: [
      (#""""#, ""),
      (#""plain text of more than eight bytes""#, "plain text of more than eight bytes"),
      (#""a\/b\\c\"d\n\t\r\b\f""#, "a/b\\c\"d\n\t\r\u{8}\u{c}"),
      (#""\u0041\u00e9\u4e2d""#, "A\u{e9}\u{4e2d}"),
      (#""\ud83d\ude00""#, "\u{1F600}"), (#""\ud800""#, "\u{FFFD}"), (#""\ud800x""#, "\u{FFFD}x"),
      (#""\udc00\ud800\u0041""#, "\u{FFFD}\u{FFFD}A"),
      (#""\ud800\ud83d\ude00""#, "\u{FFFD}\u{1F600}"),
      (#""\u12""#, "\u{FFFD}12"), (#""\q""#, "q"), ("\"raw\n\u{1}line\"", "raw\n\u{1}line"),
    ])
  func strings(text: String, value: String) throws {
    let view = ByteView(text.utf8)
    var reader = JSONReader(view.bytes)
    #expect(try reader.readString() == value)
    #expect(reader.position == view.count)
  }

  @Test("Invalid UTF-8 is replaced")
  func invalidUTF8() throws {
    let view = ByteView([0x22, 0x61, 0xFF, 0x62, 0x22])
    var reader = JSONReader(view.bytes)
    #expect(try reader.readString() == "a\u{FFFD}b")
  }

  @Test("A key with escapes is still found")
  func escapedKey() throws {
    let view = ByteView(#"{"\u0070id":4}"#.utf8)
    var reader = JSONReader(view.bytes)
    _ = try reader.beginObject()
    #expect(try reader.nextKey())
    let isPID = reader.keyIs("pid")
    #expect(isPID)
    #expect(reader.key == "pid")
  }

  @Test(
    "Addresses as number, hexadecimal and decimal text",
    arguments: [
      ("4096", 4096), ("\"0x1000\"", 4096), ("\"0XfF\"", 255), ("\"4096\"", 4096),
      ("\"0xffffffffffffffff\"", UInt64.max), ("\"0x10000000000000000\"", nil), ("\"0x\"", nil),
      ("\"\"", nil), ("\"12g\"", nil), ("true", nil),
    ] as [(String, UInt64?)])
  func addresses(text: String, value: UInt64?) throws {
    let view = ByteView(text.utf8)
    var reader = JSONReader(view.bytes)
    #expect(try reader.readAddress() == value)
    #expect(try JSONDocument.parse(view).value.address == value)
  }

  @Test("Skipped values may nest as deep as the limit and no deeper")
  func depth() throws {
    for (depth, fits) in [(127, true), (128, false), (100_000, false)] {
      let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      let view = ByteView("{\"a\":\(nested),\"b\":5}".utf8)
      var reader = JSONReader(view.bytes)
      _ = try reader.beginObject()
      _ = try reader.nextKey()
      if fits {
        #expect(try reader.nextKey())
        #expect(try reader.readInt() == 5)
      } else {
        let error = #expect(throws: ParseError.self) { try Self.nextKey(&reader) }
        #expect(error?.kind == .limit(name: "levels of nesting", value: 128))
        #expect(error?.offset == 5 + 127)
      }
    }
  }

  private static func nextKey(_ reader: inout JSONReader) throws(ParseError) {
    _ = try reader.nextKey()
  }
}
