import Files
import Testing

@testable import Files

@Suite struct SortedNamesTests {
  private static func table(_ names: [String]) -> SortedNames {
    var table = SortedNames()
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
}
