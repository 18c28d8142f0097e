@testable import APIDocuments
import Documents
import Testing

@testable import MaydayCommands

/// docs/report-document.md has the members that the published schema has.
@Suite("The page of the report document")
struct ReportDocumentPageTests {
  @Test(
    "A table has every member of its schema, and says which are always present",
    arguments: ["Report", "Thread", "Frame", "Image", "Exception", "Signature", "Group"])
  func members(name: String) throws {
    let lines = try DocumentationPage("docs/report-document.md").lines
    let start = try #require(lines.firstIndex(of: "## \(name)"))
    let end = lines[(start + 1)...].firstIndex { $0.hasPrefix("## ") } ?? lines.endIndex
    let rows = lines[start..<end].filter { $0.hasPrefix("| `") }.map { row in
      let cells = row.split(separator: "|").map { $0.trimmingPrefix { $0 == " " } }
      return "\(cells[0].dropLast()): \(cells[1].contains("always"))"
    }
    let schema = try #require(APISchema.components.first { $0.name == name }?.schema)
    guard case .object(let members, _) = schema else {
      Issue.record("\(name) is not an object")
      return
    }
    #expect(rows == members.map { "`\($0.name)`: \($0.isRequired)" })
  }
}
