import Bytes
import Identifiers
import TestSupport
import Testing

@testable import AppPackages

@Suite struct PropertyListTests {
  static func xml(_ body: String) -> ByteView {
    ByteView(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">\(body)</plist>
      """.utf8)
  }

  /// Output of Python's plistlib for one dictionary of all kinds, in its binary format.
  static let binary: [UInt8] =
    Base64.decode(
      """
      YnBsaXN0MDDbAQIDBAUGBwgJCgsMDQ4PEBESExYXGFFhUWJRY1FkUWVRZlFnUWhRaVFqUWtuAFQAZQByAG4AIAAmAC
      AARwB1AGwAbAAg2D3cJhP/////////+xQAAAAAAAAAAP//////////Iz/4AAAAAAAACTNByHRQUoAAAEMBAgOiFBVQ
      CIADEwAAAQAAAAAAVXBsYWluCB8hIyUnKSstLzEzNVJbbHV2f4OGh4iKkwAAAAAAAAEBAAAAAAAAABkAAAAAAAAAAA
      AAAAAAAACZ
      """) ?? []

  @Test("Values of every kind, as text")
  func text() throws {
    let list = try PropertyList(
      parsing: Self.xml(
        """
        <dict><key>a</key><string>Tern &amp; Gull &#x1F426;<![CDATA[ <x>]]></string>
        <!-- nothing --><key>b</key><integer>-5</integer><key>c</key><integer>18446744073709551615</integer>
        <key>d</key><real>1.5</real><key>e</key><true/><key>f</key><date>2027-01-02T03:04:05Z</date>
        <key>g</key><data> AQID\n </data><key>h</key><array><string/><false/></array></dict>
        """))
    #expect(
      list
        == .dictionary([
          "a": .string("Tern & Gull 🐦 <x>"), "b": .integer(-5), "c": .unsigned(.max),
          "d": .real(1.5), "e": .boolean(true),
          "f": .date(Timestamp(seconds: 1_798_859_045)), "g": .data([1, 2, 3]),
          "h": .array([.string(""), .boolean(false)]),
        ]))
  }

  @Test("Values of every kind, as Python writes them in binary")
  func binary() throws {
    #expect(
      try PropertyList(parsing: ByteView(Self.binary))
        == .dictionary([
          "a": .string("Tern & Gull 🐦"), "b": .integer(-5), "c": .unsigned(.max),
          "d": .real(1.5), "e": .boolean(true), "f": .date(Timestamp(seconds: 1_798_859_045)),
          "g": .data([1, 2, 3]), "h": .array([.string(""), .boolean(false)]),
          "i": .other, "j": .integer(1 << 40), "k": .string("plain"),
        ]))
  }

  @Test(
    "Documents that declare entities, lack an end or repeat a key are refused",
    arguments: [
      "<dict><key>a</key><string>1</string><key>a</key><string>2</string></dict>",
      "<dict><key>a</key></dict>", "<dict><string>a</string></dict>", "<string>&lol;</string>",
      "<string>a</string><string>b</string>", "<string>a", "<integer>x</integer>", "<data>*</data>",
      "<dict><key>a</key><string>1</string>", "<date>soon</date>", "", "<odd/>",
    ])
  func refused(body: String) {
    #expect(throws: ParseError.self) { try PropertyList(parsing: Self.xml(body)) }
  }

  @Test("A document type with declarations is refused before anything grows")
  func laughs() {
    let text = """
      <!DOCTYPE plist [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><plist><string>&b;</string></plist>
      """
    #expect(throws: ParseError.self) { try PropertyList(parsing: ByteView(text.utf8)) }
  }

  @Test("Nested elements end at a limit")
  func deep() {
    let body = String(repeating: "<array>", count: 100_000)
    #expect(throws: ParseError.self) { try PropertyList(parsing: Self.xml(body)) }
  }

  @Test("A list as deep as the limit takes little stack, as XML and as binary")
  func stack() throws {
    let levels = AppPackageLimits.depth - 1
    let body =
      String(repeating: "<array>", count: levels) + "<true/>"
      + String(repeating: "</array>", count: levels)
    let binary = (1...levels).map { [0xa1, UInt8($0)] } + [[0x09]]
    for list in [Self.xml(body), Self.list(binary)] {
      var isRead = false
      let stack = StackUse.measure { isRead = (try? PropertyList(parsing: list)) != nil }
      #expect(isRead)
      #expect(try #require(stack) <= StackUse.most)
    }
  }

  /// A list whose objects are `objects`, the first of them on top.
  static func list(_ objects: [[UInt8]]) -> ByteView {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)]
      bytes += object
    }
    let table = bytes.count
    bytes += offsets + [0, 0, 0, 0, 0, 0, 2, 1]
    for number in [objects.count, 0, table] {
      bytes += (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
    return ByteView(bytes)
  }

  @Test(
    "Binary lists that contain themselves, or stand for endless values, end at a limit",
    arguments: [
      [[0xa1, 0]], [[0xd1, 1, 0], [0x51, 0x61]],
      // Each array holds the next one fourteen times.
      (0..<20).map { [0xae] + [UInt8](repeating: $0 + 1, count: 14) } + [[0x09]],
      // A long text, fourteen times on each of four levels.
      (0..<4).map { [0xae] + [UInt8](repeating: $0 + 1, count: 14) }
        + [[0x5f, 0x11, 0x40, 0] + [UInt8](repeating: 0x61, count: 1 << 14)],
    ])
  func endless(objects: [[UInt8]]) {
    #expect(throws: ParseError.self) { try PropertyList(parsing: Self.list(objects)) }
  }

  @Test("Every prefix and hundreds of damaged copies are read or refused")
  func damaged() throws {
    var outcomes = Outcomes()
    let inputs =
      (0..<Self.binary.count).map { Array(Self.binary[..<$0]) }
      + Mutator.binary(Self.binary, count: 2000, seed: 9)
    for input in inputs {
      outcomes.count { _ = try PropertyList(parsing: ByteView(input)) }
    }
    #expect(outcomes.isMixed)
    let text = Self.xml(
      "<dict><key>a</key><array><integer>5</integer><data>AQID</data></array></dict>")
    var mutator = Mutator(seed: 4)
    for copy in mutator.copies(of: text.array, count: 1000) {
      outcomes.count { _ = try PropertyList(parsing: ByteView(copy)) }
    }
    #expect(outcomes.isMixed)
  }
}
