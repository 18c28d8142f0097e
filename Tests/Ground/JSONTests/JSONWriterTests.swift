import Testing

@testable import JSON

@Suite("JSON writer")
struct JSONWriterTests {
  private func written(pretty: Bool = false, _ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter(pretty: pretty)
    body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private func sample(_ writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("a", 1)
    writer.key("b")
    writer.beginArray()
    writer.integer(UInt64.max)
    writer.beginObject()
    writer.endObject()
    writer.beginArray()
    writer.endArray()
    writer.null()
    writer.endArray()
    writer.member("c", ["x", "y"])
    writer.member("left out", nil as String?)
    writer.member("d", 2.5)
    writer.member("e", false)
    writer.endObject()
  }

  @Test("One line")
  func compact() {
    #expect(
      written(sample)
        == #"{"a":1,"b":[18446744073709551615,{},[],null],"c":["x","y"],"d":2.5,"e":false}"#)
  }

  @Test("Indented")
  func pretty() {
    #expect(
      written(pretty: true, sample) == """
        {
          "a": 1,
          "b": [
            18446744073709551615,
            {},
            [],
            null
          ],
          "c": [
            "x",
            "y"
          ],
          "d": 2.5,
          "e": false
        }
        """)
  }

  @Test("Lines of documents")
  func lines() {
    let text = written { writer in
      for number in 0..<2 {
        writer.beginArray()
        writer.integer(number)
        writer.endArray()
        writer.newLine()
      }
    }
    #expect(text == "[0]\n[1]\n")
  }

  @Test(
    "What would act on a terminal is escaped, the rest is not",
    arguments: [
      ("plain", "plain"), ("q\"b\\", #"q\"b\\"#), ("\u{1b}[31m", #"\u001b[31m"#),
      ("a\r\n\tb", #"a\r\n\tb"#), ("\u{7f}\u{85}\u{9b}", #"\u007f\u0085\u009b"#),
      ("\u{202e}x\u{2069}\u{200f}", #"\u202ex\u2069\u200f"#), ("\u{2028}", #"\u2028"#),
      ("größe 🐚 e\u{301}", "größe 🐚 e\u{301}"), ("\0", #"\u0000"#), ("a/b", "a/b"),
    ])
  func escapes(text: String, expected: String) {
    #expect(written { $0.string(text) } == "\"\(expected)\"")
  }

  @Test(
    "Numbers keep their value",
    arguments: [
      (0.1, "0.1"), (1e300, "1e+300"), (-0.0, "-0.0"), (.nan, "null"), (.infinity, "null"),
      (12, "12.0"),
    ])
  func doubles(number: Double, expected: String) {
    #expect(written { $0.double(number) } == expected)
  }
}
