import Bytes
import CrashModel
import Glibc
import JSON
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport
@testable import ReportFormats

@Suite("What is told of the formats", .serialized) struct FormatTableTests {
  @Test("docs/reference/formats.md has what `formats --markdown` prints")
  func page() throws {
    var lines = try DocumentationPage("docs/reference/formats.md").lines
    let start = try #require(lines.firstIndex(of: "<!-- formats -->"))
    let end = try #require(lines.firstIndex(of: "<!-- end of formats -->"))
    let printed = Run(["formats", "--markdown"]).output.split(
      separator: "\n", omittingEmptySubsequences: false
    ).dropLast().map(String.init)
    #expect(printed.count > 100)
    if GoldenFolder.isRenewing {
      lines.replaceSubrange(start + 1..<end, with: printed)
      let file = try #require(fopen("\(Samples.root)/docs/reference/formats.md", "w"))
      defer { fclose(file) }
      try #require(fputs(lines.joined(separator: "\n"), file) >= 0)
    } else {
      #expect(Array(lines[start + 1..<end]) == printed)
    }
  }

  @Test("The list has every format, one per line, within 80 columns")
  func list() throws {
    let output = Run(["formats"], environment: ["COLUMNS": "80"]).output
    for known in FormatRegistry.builtIn.formats {
      #expect(output.contains("  \(known.format) "), "\(known.format)")
    }
    #expect(output.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test("A named format is described; an unknown name is an error that suggests the nearest")
  func one() throws {
    let output = Run(["formats", "go-panic"]).output
    #expect(output.contains("recognised by") && output.contains("goroutine"))
    let run = Run(["formats", "go-panik"])
    #expect(run.status == 2 && run.errors.contains("did you mean 'go-panic'?"))
  }

  @Test("Every format says how it is recognised and which stacks it has")
  func facts() {
    for known in FormatRegistry.builtIn.formats where known.format.description != "language-trace" {
      let names = Set(known.about.facts.flatMap { $0.name.split(separator: ", ") })
      #expect(names.contains("recognised by"), "\(known.format)")
      #expect(!names.isDisjoint(with: ["stacks", "stack"]), "\(known.format)")
    }
  }

  @Test("JSON has the same")
  func json() throws {
    let output = Run(["formats", "--json"]).output
    let list = try #require(try JSONDocument.parse(ByteView(Array(output.utf8))).value.array)
    #expect(list.count == FormatRegistry.builtIn.formats.count)
    #expect(list.allSatisfy { $0["since"]?.string != nil && $0["facts"]?.array?.isEmpty == false })
  }
}
