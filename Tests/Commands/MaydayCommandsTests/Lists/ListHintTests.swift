import Bytes
import JSON
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport

@Suite("Lists on a terminal") struct ListHintTests {
  private static let filled = FilledHome()
  private let home = Self.filled.home

  private func mayday(_ words: String...) -> Run { Run(words + ["--home", home]) }

  private func json(_ words: String...) throws -> [JSONValue] {
    let run = Run(words + ["--home", home, "--json"])
    #expect(run.status == 0, "\(words): \(run.errors)")
    return try #require(try JSONDocument.parse(ByteView(Array(run.output.utf8))).value.array)
  }

  // MARK: Empty results

  @Test("A query that finds nothing shows which value no report has, and similar ones")
  func emptyAdvice() throws {
    let misspelt = mayday("groups", "os:macSO")
    #expect(misspelt.status == 0 && misspelt.output.isEmpty)
    #expect(misspelt.errors.contains("No report has os:macSO; did you mean os:macOS?"))
    #expect(mayday("reports", "signal:NOPE").errors.contains("No report has signal:NOPE"))
    let group = try #require(try json("groups").first?["id"]?.string)
    let named = mayday("reports", group)
    #expect(named.errors.contains("did you mean group:\(group)?"))
    #expect(mayday("groups", "os:macSO", "--json").errors.isEmpty)
    let report = try #require(try json("reports").first?["id"]?.string)
    for word in [report, String(report.prefix(12)).uppercased()] {
      let run = mayday("groups", word)
      #expect(run.status == 0 && run.output.isEmpty)
      #expect(run.errors.contains("did you mean id:\(report.prefix(12))?"), "\(run.errors)")
      #expect(run.errors.contains("'mayday show \(report.prefix(12))' shows the report."))
    }
  }

  @Test("Groups of nobody, and of whoever asks, are found by their assignee")
  func assignee() throws {
    let all = try json("groups").count
    #expect(try json("groups", "is:unassigned").count == all && all > 0)
    #expect(try json("groups", "assignee:me").isEmpty)
  }

  @Test("A short signal name and the start of a version find their matches")
  func meant() throws {
    #expect(try json("reports", "signal:SEGV") == json("reports", "signal:SIGSEGV"))
    #expect(try !json("reports", "signal:SEGV").isEmpty)
    #expect(try !json("reports", "version:1.1").isEmpty)
    #expect(try json("reports", "version:=1.1").isEmpty)
    #expect(try json("reports", "version:1.1") == json("reports", "version:1.1.0"))
  }

  // MARK: The table and the pager

  @Test(
    "The signature has half of the line, and other columns make room for it", arguments: [60, 80])
  func room(width: Int) throws {
    let run = Run(["groups", "--home", home], environment: ["COLUMNS": "\(width)"])
    let heading = try #require(run.output.split(separator: "\n").first)
    let start = try #require(heading.firstRange(of: "SIGNATURE")?.lowerBound)
    #expect(heading.distance(from: heading.startIndex, to: start) <= width / 2)
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= width })
  }

  @Test("A terminal gets lists through the pager, unless disabled")
  func pager() throws {
    // `script` gives the program that it runs a terminal.
    func onTerminal(_ words: String, pager: String = "sed s/^/PAGED:/") -> [Substring] {
      let command = "\(BuiltProgram.mayday) \(words) --home \(home)"
      let run = Run(
        ["-qec", command, "/dev/null"], environment: ["PAGER": pager, "TERM": "dumb"],
        program: "/usr/bin/script")
      #expect(run.status == 0, "\(run.output)")
      return run.output.split(separator: "\r\n")
    }
    let paged = onTerminal("groups")
    #expect(paged.count > 8 && paged.allSatisfy { $0.hasPrefix("PAGED:") })
    #expect(onTerminal("--no-pager groups").contains { $0.hasPrefix("GROUP") })
    #expect(onTerminal("groups", pager: "cat").contains { $0.hasPrefix("GROUP") })
    #expect(onTerminal("groups --json").allSatisfy { !$0.hasPrefix("PAGED:") })
    // Leaving the pager early is not an error.
    #expect(onTerminal("groups", pager: "head -n 1").count == 1)
  }
}
