import Bytes
import JSON
import TestSupport
import Testing

@testable import OfflineCommands
@testable import ProgramSupport

@Suite("triage for CI services")
struct TriageFormTests {
  private let folder = ScratchFolder()
  private let reports = Samples.path("apple-ips")

  private func triage(_ words: String..., summary: String = "") -> Run {
    Run(
      ["triage", reports, "--symbols", Samples.symbols] + words,
      environment: ["GITHUB_STEP_SUMMARY": summary])
  }

  private func parsed(_ text: String) throws -> JSONValue {
    try JSONDocument.parse(ByteView(Array(text.utf8))).value
  }

  @Test("Annotations name the lines of the groups, relative to the checkout")
  func annotations() throws {
    let groups = try parsed(triage("--json").output)["groups"]?.array ?? []
    let summary = folder.path("summary.md")
    folder.write("summary.md", Array("before\n".utf8))
    let run = triage("--format", "github", "--root", "/app", summary: summary)
    #expect(run.status == 0)
    let lines = run.output.split(separator: "\n")
    #expect(lines.filter { $0.hasPrefix("::error ") }.count == groups.count)
    #expect(
      lines.contains { $0.hasPrefix("::error file=src/stock.h,line=10,col=48,title=Crash%3A tern") }
    )
    let text = try ByteView(reading: summary, limit: 1 << 20).text
    #expect(text.hasPrefix("before\n### Crashes") && text.contains("`src/stock.h:10`"))
    #expect(text.contains("33 reports in"))
  }

  @Test("A summary that cannot be written is a failure")
  func summary() {
    let run = triage("--format", "github", summary: folder.path("none/summary.md"))
    #expect(run.status == 3 && run.errors.contains("cannot write"), "\(run.errors)")
  }

  @Test("The other forms have an entry for each group", arguments: ["gitlab", "sarif", "junit"])
  func forms(form: String) throws {
    let count = try parsed(triage("--json").output)["groups"]?.array?.count
    let run = triage("--format", form)
    #expect(run.status == 0)
    let found =
      switch form {
      case "gitlab": try parsed(run.output).array?.count
      case "sarif": try parsed(run.output)["runs"]?[0]?["results"]?.array?.count
      default: Optional(run.output.split(separator: "<testcase ").count - 1)
      }
    #expect(found == count)
    #expect(triage("--format", form).output == run.output)
  }

  @Test("A group that the baseline lacks exits with 7; the same triage has none")
  func baseline() throws {
    let known = folder.write("known.json", Array(triage("--json").output.utf8))
    let same = triage("--baseline", known)
    #expect(same.status == 0 && same.errors.contains("; 0 new groups"), "\(same.errors)")
    let less = Run(["triage", Samples.path("apple-ips/null-read-1.1.0-ios-arm64.ips"), "--json"])
    let small = folder.write("small.json", Array(less.output.utf8))
    let run = triage("--baseline", small, "--format", "json")
    #expect(run.status == 7 && run.errors.contains("mayday: new: "), "\(run.errors)")
    let groups = try parsed(run.output)["groups"]?.array ?? []
    let new = groups.map { $0["new"]?.bool }
    #expect(new.contains(true) && !new.contains(nil))
    // New ones come first.
    #expect(new == new.filter { $0 == true } + new.filter { $0 == false })
  }

  @Test("A baseline that cannot be read fails, instead of making everything new")
  func wrongBaseline() {
    let missing = triage("--baseline", folder.path("none.json"))
    #expect(missing.status == 3 && missing.errors.contains("none.json"))
    let wrong = triage("--baseline", folder.write("a.json", Array("{}".utf8)))
    #expect(wrong.status == 1 && wrong.errors.contains("cannot be used: it has no groups"))
    #expect(wrong.output == "")
  }

  @Test("Standard output has one form")
  func exclusion() {
    #expect(triage("--json", "--format", "sarif").status == 2)
    #expect(triage("--html", "-", "--format", "github").status == 2)
    #expect(triage("--format", "xml").status == 2)
  }
}
