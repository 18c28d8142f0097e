import Bytes
import INI
import TestSupport
import Testing

@Suite("INI files")
struct INIFileTests {
  private func entries(_ text: String) throws -> [String] {
    try INIFile(parsing: ByteView(Array(text.utf8))).entries.map {
      "\($0.line) [\($0.section)] \($0.name)=\($0.value)"
    }
  }

  @Test(
    "Values have their section and line",
    arguments: [
      ("", []), ("# only\n; comments", []), ("a = 1", ["1 [] a=1"]),
      ("[x]\na=1\r\n\n[y z]\n  b : 2  \nc==3", ["2 [x] a=1", "5 [y z] b=2", "6 [y z] c==3"]),
      ("\u{feff}[x]\na=", ["2 [x] a="]), ("a = b # c ; d", ["1 [] a=b # c ; d"]),
      ("a = 1\n  b = 2", ["1 [] a=1", "2 [] b=2"]), ("a = größe", ["1 [] a=größe"]),
      ("=1", ["1 [] =1"]),
    ] as [(String, [String])])
  func values(text: String, expected: [String]) throws {
    #expect(try entries(text) == expected)
  }

  @Test(
    "Mistakes are reported with their line",
    arguments: [
      ("[x]\nword", 2, "neither a [section] nor name = value"),
      ("a=1\n\n[x", 3, "the ] after the name of a section is missing"),
      ("a=\0", 1, "the line is not UTF-8 text"),
      ("\n" + String(repeating: "a", count: 4001), 2, "the line is longer than 4000 bytes"),
    ])
  func wrong(text: String, line: Int, reason: String) {
    let error = #expect(throws: INIError.self) { try entries(text) }
    #expect(error?.line == line && error?.reason == reason)
  }

  @Test("Binary bytes are refused")
  func bytes() {
    let error = #expect(throws: INIError.self) {
      try INIFile(parsing: ByteView([0x61, 0x3d, 0x0a, 0xff]))
    }
    #expect(error?.line == 2)
  }

  @Test("The longest line and the longest name are read completely")
  func longest() throws {
    let value = String(repeating: "v", count: INIFile.longestLine - 2)
    #expect(try entries("a=" + value) == ["1 [] a=" + value])
    let name = String(repeating: "n", count: INIFile.longestName)
    #expect(try entries("[\(name)]\n\(name)=1") == ["2 [\(name)] \(name)=1"])
  }

  @Test("Changed at random, a file is read or refused")
  func changed() {
    let text = "# mayday\n[mayday]\nhome = /srv/crashes\n\n[symbols add]\njson: yes\n"
    var mutator = Mutator(seed: 1, .anyByte, changes: 1...8)
    var outcomes = Outcomes()
    for copy in mutator.copies(of: Array(text.utf8), count: 200) {
      outcomes.count { _ = try INIFile(parsing: ByteView(copy)) }
    }
    #expect(outcomes.all == 200 && outcomes.isMixed)
  }
}
