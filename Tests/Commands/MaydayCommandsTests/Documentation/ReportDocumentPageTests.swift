@testable import APIDocuments
import Documents
import Glibc
import TestSupport
import Testing

@testable import MaydayCommands

/// The tables of docs/reference/report-document.md are those of the declarations.
///
/// `MAYDAY_RENEW_GOLDEN=1` writes them into the page.
@Suite("The page of the report document")
struct ReportDocumentPageTests {
  private static let page = "docs/reference/report-document.md"

  /// The page with the table of each section named after a document.
  private static func renewed(_ lines: [String]) -> (lines: [String], tables: [String]) {
    var (result, tables): ([String], [String]) = ([], [])
    var table: [String]?
    for line in lines {
      if line.hasPrefix("## ") {
        let name = String(line.dropFirst(3))
        table = APISchema.components.first { $0.name == name }.flatMap { component in
          guard case .object(let members, _) = component.schema else { return nil }
          return APIComponent(name) { members }.table
        }
        if table != nil { tables.append(name) }
      }
      guard line.hasPrefix("|"), let rows = table else {
        result.append(line)
        continue
      }
      if line.hasPrefix("| member |") { result += rows }
    }
    return (result, tables)
  }

  @Test("Each table has the members, types and meanings of its declaration")
  func tables() throws {
    let lines = try DocumentationPage(Self.page).lines
    let (renewed, tables) = Self.renewed(lines)
    #expect(
      tables == [
        "Report", "Thread", "Frame", "Image", "Exception", "Signature", "Group",
        "ProposedSplit", "GroupEvent", "ReportSummary",
      ])
    if GoldenFolder.isRenewing {
      let bytes = Array(renewed.joined(separator: "\n").utf8)
      let file = try #require(fopen(Samples.root + "/" + Self.page, "w"))
      #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
      #expect(fclose(file) == 0)
    } else {
      #expect(lines == renewed)
    }
  }
}
