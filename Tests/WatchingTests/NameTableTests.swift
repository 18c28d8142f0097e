import Testing

@testable import Watching

@Suite struct NameTableTests {
  private static func table(_ names: [String]) -> NameTable {
    var table = NameTable()
    for name in names { Array(name.utf8).withUnsafeBytes { table.add($0) } }
    table.sort()
    return table
  }

  @Test("Names are sorted by their bytes and found again")
  func sorted() {
    let table = Self.table(["b", "a.ips.log", "a", "a.ips", "é", "a.ips.png", "a.ip"])
    let names = (0..<table.count).map { String(decoding: table[$0], as: UTF8.self) }
    #expect(names == ["a", "a.ip", "a.ips", "a.ips.log", "a.ips.png", "b", "é"])
    #expect(names.allSatisfy { table.contains($0.utf8) })
    #expect(!table.contains("a.".utf8) && !table.contains("".utf8) && !table.contains("z".utf8))
    let behind = table.names(behind: "a.ips.".utf8).map { String(decoding: $0, as: UTF8.self) }
    #expect(behind == ["a.ips.log", "a.ips.png"])
    #expect(table.names(behind: "x".utf8).isEmpty)
    #expect(Self.table([]).names(behind: "".utf8).isEmpty)
  }

  @Test(
    "Files that are not finished are left alone",
    arguments: [
      (".crash.ips", true), ("crash.ips.tmp", true), ("crash.ips.part", true), ("a~", true),
      ("crash.ips.crdownload", true), ("crash.ips.partial", true), ("", true), (".tmp", true),
      ("crash.ips", false), ("tmp", false), ("crash.tmp.ips", false),
    ] as [(String, Bool)])
  func ignored(name: String, isIgnored: Bool) {
    #expect(IgnoredNames.contains(Array(name.utf8)) == isIgnored)
  }

  @Test("Places name what is above and below")
  func places() {
    let place = Place(root: 0, path: []).child("a".utf8).child("b.ips".utf8)
    #expect(place.path == Array("a/b.ips".utf8) && place.name == Array("b.ips".utf8))
    #expect(place.folder.path == Array("a".utf8) && place.folder.folder.path.isEmpty)
    #expect(place.folder.folder.folder.path.isEmpty && place.names.count == 2)
  }
}
