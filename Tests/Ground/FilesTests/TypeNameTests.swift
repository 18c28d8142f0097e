import Bytes
import TestSupport
import Testing

@Suite("Type names of the targets")
struct TypeNameTests {
  /// Programs for measuring and fuzzing, which have their own types.
  private static let others = ["mayday/", "mayday-bench/", "mayday-fuzz/"]

  @Test("No two targets have types of the same name")
  func names() throws {
    var places: [String: [String]] = [:]
    for (name, text) in try SourceTree.files() where !Self.others.contains(where: name.hasPrefix) {
      for line in text.split(separator: "\n") {
        guard let type = Self.type(in: line) else { continue }
        places[type, default: []].append(name)
      }
    }
    #expect(places.count > 500)
    #expect(places.filter { $0.value.count > 1 } == [:])
  }

  @Test("No source uses @testable import, which release builds cannot")
  func testable() throws {
    let files = try SourceTree.files()
    let found = files.filter { $0.text.contains("@testable import") }.map(\.name)
    #expect(files.count > 500 && found == [])
  }

  /// Words that the field does not use for what they were used for: docs/develop/glossary.md has the right ones.
  private static let words = [
    "Acquaintance", "Ballast", "Bell", "Circumstances", "Draft", "Filing", "Memo", "Nameless",
    "Shelf", "Spread",
    "Standing", "Tally", "Upkeep",
  ]

  @Test("No type is called by a word that the glossary replaced")
  func replaced() throws {
    var found: [String] = []
    for (name, text) in try SourceTree.files() {
      for line in text.split(separator: "\n") {
        let words = line.split(separator: " ")
        guard
          let kind = words.firstIndex(where: {
            ["struct", "class", "enum", "protocol", "actor", "typealias"].contains($0)
          }), kind + 1 < words.count
        else { continue }
        let type = words[kind + 1].prefix { $0.isLetter || $0.isNumber }
        guard type.first?.isUppercase == true else { continue }
        if Self.words.contains(where: { Self.holds($0, type) }) { found.append("\(name): \(type)") }
      }
    }
    #expect(found == [])
  }

  @Test(
    "A word of a name is seen",
    arguments: [
      ("LogTally", true), ("TallyLog", true), ("Tally", true), ("Memory", false), ("Belly", false),
      ("DrafthouseLog", false),
    ])
  func word(type: String, isFound: Bool) {
    #expect(Self.words.contains { Self.holds($0, type[...]) } == isFound)
  }

  /// Whether `word` is one of the capitalised words of a name.
  private static func holds(_ word: String, _ type: Substring) -> Bool {
    type.ranges(of: word).contains { range in
      range.upperBound == type.endIndex || !type[range.upperBound].isLowercase
    }
  }

  @Test(
    "A declaration that stands for itself is seen",
    arguments: [
      ("public struct Report: Sendable {", "Report"),
      ("package final class Server {", "Server"),
      ("public indirect enum Tree {", "Tree"),
      ("  public struct Nested {", nil),
      ("struct Internal {", "Internal"),
      ("private final class Hidden {", nil),
      ("public let struct_ = 1", nil),
    ])
  func lines(line: String, type: String?) {
    #expect(Self.type(in: line[...]) == type)
  }

  /// The type that a line declares at the top level with more than file access.
  private static func type(in line: Substring) -> String? {
    var words = line.split(separator: " ", omittingEmptySubsequences: false)[...]
    while let word = words.first, ["public", "package", "final", "indirect"].contains(word) {
      words.removeFirst()
    }
    guard let kind = words.popFirst(),
      ["struct", "class", "enum", "protocol", "actor"].contains(kind), let name = words.first
    else { return nil }
    return String(name.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
  }
}
