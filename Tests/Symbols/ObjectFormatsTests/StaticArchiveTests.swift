import Bytes
import Testing

@testable import ObjectFormats

@Suite struct StaticArchiveTests {
  static func header(_ name: String, _ time: String, _ size: Int) -> [UInt8] {
    func field(_ text: String, _ count: Int) -> [UInt8] {
      Array((text + String(repeating: " ", count: count)).utf8.prefix(count))
    }
    return field(name, 16) + field(time, 12) + field("0", 6) + field("0", 6) + field("644", 8)
      + field(String(size), 10) + [0x60, 0x0a]
  }

  /// An archive with the names before the contents, as BSD and Apple write them.
  static func archive(_ members: [(String, Int, [UInt8])]) -> [UInt8] {
    var bytes = Array("!<arch>\n".utf8)
    for (name, time, contents) in members {
      let text = Array(name.utf8) + [0, 0]
      bytes += header("#1/\(text.count)", String(time), text.count + contents.count)
      bytes += text + contents
      if bytes.count % 2 != 0 { bytes.append(0x0a) }
    }
    return bytes
  }

  private func members(_ bytes: [UInt8]) -> [String] {
    var found: [String] = []
    StaticArchive(ByteView(bytes))?.forEachMember {
      found.append("\($0.name) \($0.modified) \($0.bytes.array)")
      return found.count < 10
    }
    return found
  }

  @Test("Names before the contents, as BSD and Apple write them")
  func bsd() {
    let bytes = Self.archive([("a long name of a part.o", 7, [1, 2, 3]), ("b.o", 0, [])])
    #expect(members(bytes) == ["a long name of a part.o 7 [1, 2, 3]", "b.o 0 []"])
  }

  @Test("Names in a member of their own, as GNU writes them")
  func gnu() {
    var bytes = Array("!<arch>\n".utf8)
    let names = Array("a long name of a part.o/\nanother/\n".utf8)
    bytes += Self.header("/", "0", 2) + [0, 0]
    bytes += Self.header("//", "", names.count) + names
    bytes += Self.header("/0", "7", 1) + [1, 0x0a]
    bytes += Self.header("/25", "", 2) + [2, 3]
    bytes += Self.header("c.o/", "9", 0)
    #expect(
      members(bytes) == ["a long name of a part.o 7 [1]", "another 0 [2, 3]", "c.o 9 []"])
  }

  @Test("Other files are not archives")
  func other() { #expect(StaticArchive(ByteView([1, 2, 3])) == nil) }

  @Test("Nothing after a damaged member is read; each prefix ends")
  func damage() {
    let bytes = Self.archive([("a.o", 7, [1, 2]), ("b.o", 8, [3, 4]), ("c.o", 9, [5])])
    for end in 8..<bytes.count { #expect(members(Array(bytes[..<end])).count <= 3) }
    var second = bytes
    second[8 + 60 + 8 + 58 - 1] = 0xff
    #expect(members(second).count <= 2)
    for name in ["#1/99999", "#1/-1", "#1/x", "/99", "/-3"] {
      let damaged = Array("!<arch>\n".utf8) + Self.header(name, "0", 2) + [0, 0]
      #expect(members(damaged).isEmpty)
    }
  }
}
