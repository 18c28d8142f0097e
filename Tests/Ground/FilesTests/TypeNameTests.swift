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
