import Bytes
import JSON
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport
@testable import Rendering

@Suite("show")
struct ShowCommandTests {
  /// A home with all of Apple's samples, filled once; the tests only read it.
  private static let filled: ScratchFolder = {
    let folder = ScratchFolder()
    let home = ["MAYDAY_HOME": folder.path("home")]
    _ = Run(["symbols", "add", Samples.symbols], environment: home)
    _ = Run(
      ["ingest", Samples.path("apple-ips"), Samples.path("apple-crash")], environment: home)
    return folder
  }()

  private let home = ["MAYDAY_HOME": filled.path("home")]

  private func mayday(_ words: String...) -> Run { Run(words, environment: home) }

  private func json(_ run: Run) throws -> JSONValue {
    try JSONDocument.parse(ByteView(Array(run.output.utf8))).value
  }

  /// The number of reports with each value of a field, counted one by one.
  private func counts(_ reports: [JSONValue], _ value: (JSONValue) -> String) -> [String: Int] {
    reports.reduce(into: [:]) { $0[value($1), default: 0] += 1 }
  }

  @Test("The figures of every group equal those of its reports, counted one by one")
  func figures() throws {
    let groups = try #require(try json(mayday("groups", "--json", "--limit", "0")).array)
    let all = try #require(try json(mayday("reports", "--json", "--limit", "0")).array)
    #expect(groups.count > 5 && all.count == 66)
    for group in groups {
      let name = try #require(group["id"]?.string)
      let reports = all.filter { $0["group"]?.string == name }
      let shown = try json(mayday("show", name, "--json"))
      let breakdown = try #require(shown["breakdown"])
      #expect(breakdown["reports_of_app"]?.integer == 66)
      let versions = try #require(breakdown["versions"]?.array)
      #expect(
        Dictionary(
          uniqueKeysWithValues: versions.map {
            ($0["version"]?.string ?? "?", $0["reports"]?.integer ?? -1)
          })
          == counts(reports) { report in
            let app = report["app"]
            return "\(app?["version"]?.string ?? "") (\(app?["build"]?.string ?? ""))"
          })
      for (field, key, part) in [("systems", "os", "text"), ("devices", "device", "model")] {
        let expected = counts(reports) { $0[key]?[part]?.string ?? "" }
          .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let top = try #require(breakdown[field]?["top"]?.array)
        #expect(top.map { $0["name"]?.string } == expected.prefix(5).map(\.key))
        #expect(top.map { $0["reports"]?.integer } == expected.prefix(5).map(\.value))
        #expect(breakdown[field]?["others"]?.integer == max(0, expected.count - 5))
      }
      let days = try #require(breakdown["days"]?.array)
      let perDay = counts(reports) { String(($0["time"]?.string ?? "").prefix(10)) }
      #expect(days.count == 30)
      for day in days {
        #expect(day["reports"]?.integer == perDay[day["day"]?.string ?? ""] ?? 0)
      }
      // Nothing has crashed since, so the month ends with the last report.
      #expect(days.last?["day"]?.string == perDay.keys.max())
      let newest = reports.compactMap { $0["time"]?.string }.sorted(by: >).prefix(5)
      #expect(
        try #require(shown["recent"]?.array).compactMap { $0["time"]?.string } == Array(newest))
      let text = mayday("show", name)
      #expect(text.status == 0 && text.errors == "")
      #expect(
        text.output.contains("\n  \(GroupText.count(reports.count, "report", "reports")) · "))
      #expect(text.output.split(separator: "\n").allSatisfy { String($0).columns <= 80 })
      #expect(!text.output.contains("\u{1b}"))
    }
  }

  @Test(
    "Wide and narrow, a page keeps to the columns it has", arguments: ["60", "80", "110", "200"])
  func columns(width: String) throws {
    let environment = home.merging(["COLUMNS": width]) { $1 }
    let room = try #require(Int(width))
    for group in ["TERN-1", "TERN-4"] {
      let run = Run(["show", group], environment: environment)
      #expect(run.output.split(separator: "\n").allSatisfy { String($0).columns <= room })
    }
  }

  @Test("Colour only if requested")
  func colour() {
    #expect(mayday("show", "TERN-1", "--color", "always").output.contains("\u{1b}[1m"))
    let none = home.merging(["NO_COLOR": "1"]) { $1 }
    #expect(!Run(["show", "TERN-1"], environment: none).output.contains("\u{1b}"))
  }

  @Test("The Markdown of a group has its facts and its stack")
  func markdown() {
    let run = mayday("show", "TERN-1", "--format", "md")
    #expect(run.status == 0 && run.output.hasPrefix("## TERN-1: `"))
    #expect(run.output.contains("\n| State | open |\n"))
    #expect(run.output.contains("\n<details><summary>Other threads</summary>\n"))
    #expect(run.output.components(of: "```").count % 2 == 1)
  }

  @Test("A wrong id is answered with similar ones")
  func near() throws {
    let empty = ScratchFolder()
    let none = Run(["show", "TERN-1"], environment: ["MAYDAY_HOME": empty.path("home")])
    #expect(none.status == 3 && none.errors.contains("there is no home"))
    let wrong = mayday("show", "XX-2")
    #expect(wrong.status == 3 && wrong.output == "")
    #expect(
      wrong.errors.contains("there is no group named 'XX-2'\nDid you mean this one?\n  TERN-2  "))
    let high = mayday("show", "TERN-999")
    #expect(high.status == 3 && high.errors.contains("The groups of Tern are TERN-1 to TERN-"))
    #expect(mayday("show", "tern::raise").errors.contains("All there are: mayday groups"))
    let all = try #require(try json(mayday("reports", "--json", "--limit", "0")).array)
    let ids = all.compactMap { $0["id"]?.string }.sorted()
    let id = try #require(ids.first)
    // The last digits are wrong.
    let typed = String(id.prefix(12)) + (id.dropFirst(12).hasPrefix("0") ? "1" : "0")
    let near = mayday("show", typed)
    #expect(near.status == 3 && near.errors.contains("  \(id.prefix(12))  "), "\(near.errors)")
    #expect(mayday("show", String(id.prefix(4))).status == 0)
    for short in [id.prefix(1), id.prefix(3)] {
      let run = mayday("show", String(short))
      #expect(run.status == 3 && run.errors.contains("needs 4 digits or more"), "\(run.errors)")
    }
    #expect(mayday("show", "1").errors.contains("  TERN-1  "))
    #expect(mayday("show", "\u{1b}[2J").errors.contains("'\\x1b[2J'"))
  }

  @Test("The start of two ids is answered with both")
  func ambiguous() {
    let folder = ScratchFolder()
    // The ids of these two begin alike.
    for line in [422, 557] {
      let text = """
        Traceback (most recent call last):
          File "/app/tern.py", line \(line), in charge
        ValueError: no number

        """
      folder.write("reports/\(line).txt", text.utf8)
    }
    let home = ["MAYDAY_HOME": folder.path("home")]
    let ingest = Run(["ingest", folder.path("reports"), "--app", "Tern"], environment: home)
    #expect(ingest.status == 0, "\(ingest.errors)")
    let many = Run(["show", "1364"], environment: home)
    #expect(many.status == 1)
    #expect(many.errors.contains("more than one report begins with '1364':\n  1364"))
    #expect(Run(["show", "1364e"], environment: home).status == 0)
  }
}

extension String {
  fileprivate func components(of mark: String) -> [Substring] {
    split(separator: mark, omittingEmptySubsequences: false)
  }
}
