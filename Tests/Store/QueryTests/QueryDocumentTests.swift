import Glibc
import TestSupport
import Testing

@testable import Query

/// docs/use/query.md lists the fields that there are, as the table of the source has them.
@Suite struct QueryDocumentTests {
  private static let path = Samples.root + "/docs/use/query.md"

  private static let rows = QueryField.all.map { field in
    let example = field.example.replacing("|", with: "\\|")
    return "| `\(field.name)` | \(field.kind.rawValue) | \(field.level.rawValue) |"
      + " \(field.meaning) | `\(example)` |"
  }

  @Test("The table of fields")
  func table() throws {
    let text = try Self.read()
    let head = "|---|---|---|---|---|\n"
    let start = try #require(text.firstRange(of: head)?.upperBound)
    let end = text[start...].firstRange(of: "\n\n")?.lowerBound ?? text.endIndex
    guard getenv("MAYDAY_RENEW_GOLDEN") == nil else {
      let renewed = text[..<start] + Self.rows.joined(separator: "\n") + text[end...]
      return try Self.write(String(renewed))
    }
    #expect(text[start..<end].split(separator: "\n").map(String.init) == Self.rows)
  }

  @Test("Each example is a condition on its field", arguments: QueryField.all)
  func examples(field: QueryField) throws {
    let query = try QueryParserTests.query(field.example)
    #expect(query.conditions.count == 1)
    #expect(query.conditions[0].field.sources == field.sources)
    #expect(query.text == field.example)
  }

  @Test("No field has the name of another, and meanings fit a table")
  func names() {
    let names = QueryField.all.flatMap { [$0.name] + $0.aliases }
    #expect(Set(names).count == names.count)
    for field in QueryField.all {
      #expect(field.meaning.count <= 36, "\(field.name)")
      #expect(QueryField(named: field.name.uppercased()) == field || field.name == "tag.NAME")
    }
  }

  private static func read() throws -> String {
    let file = try #require(fopen(path, "r"))
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  private static func write(_ text: String) throws {
    let file = try #require(fopen(path, "w"))
    defer { fclose(file) }
    fputs(text, file)
  }
}
