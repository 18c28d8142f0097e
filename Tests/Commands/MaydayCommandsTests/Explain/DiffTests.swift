import JSON
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport
@testable import Rendering

@Suite("mayday show --diff")
struct DiffTests {
  private let home = ExplainHome()
  private let sample = Samples.path("apple-ips/trap-1.1.0-macos-arm64.ips")
  private let build = Samples.symbols + "/1.1.0/macos"

  @Test("A report that was never reprocessed has no change")
  func none() throws {
    #expect(home.mayday("ingest", sample, "--app", "Tern").status == 0)
    let run = home.mayday("show", "TERN-1", "--diff")
    #expect(
      run.status == 0 && run.output == "" && run.errors.contains("has not changed since it arrived")
    )
    #expect(try home.json("show", "TERN-1", "--diff")["changes"]?.integer == 0)
    #expect(home.mayday("show", "TERN-1", "--change", "1").status == 2)
    #expect(home.mayday("show", "TERN-1", "--diff", "--raw").status == 2)
  }

  @Test("First a symbol table, then debug information: two changes, each with its own")
  func twice() throws {
    #expect(home.mayday("ingest", sample, "--app", "Tern").status == 0)
    let plain = try home.json("explain", "TERN-1")["text"]?.string
    #expect(home.mayday("symbols", "add", build + "/Tern").status == 0)
    let partial = try home.json("explain", "TERN-1")["text"]?.string
    #expect(home.mayday("symbols", "add", build + "/Tern.app.dSYM").status == 0)
    let report = try #require(try home.reports().first)
    let full = try home.json("explain", report)["text"]?.string

    let first = try home.json("show", report, "--diff", "--change", "1")
    let last = try home.json("show", report, "--diff")
    #expect(first["signature"]?["before"]?.string == plain)
    #expect(first["signature"]?["after"]?.string == partial)
    #expect(last["signature"]?["before"]?.string == partial)
    #expect(last["signature"]?["after"]?.string == full)
    #expect(last["change"]?.integer == 2 && last["changes"]?.integer == 2)
    for change in [first, last] {
      #expect(
        change["arrived"]?.array?.compactMap(\.string) == [
          "4c4c44cf-5555-3144-a1ee-160a29ef6f71"
        ])
      #expect(change["images"]?.array?.count == 1)
      #expect(change["images"]?[0]?["name"]?.string == "Tern")
    }
    // Names came with the table, files and lines with the debug information.
    let frames = try #require(first["frames"]?.array)
    #expect(frames.allSatisfy { $0["before"]?[0]?["function"] == nil })
    #expect(frames.allSatisfy { $0["after"]?[0]?["function"] != nil })
    #expect(last["frames"]?.array?.allSatisfy { $0["after"]?[0]?["line"] != nil } == true)
    let missing = home.mayday("show", report, "--diff", "--change", "7")
    #expect(missing.status == 3 && missing.errors.contains("available: 1, 2"))

    let words = home.mayday("show", report, "--diff")
    let lines = words.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { String($0).columns <= 80 })
    // Except for the time, it is the same each time.
    Golden.expect(
      lines.filter { !$0.hasPrefix("  When") }.joined(separator: "\n"), is: "explain/diff.txt")
  }

  @Test("The group's history says what changed, in how many reports, with which file")
  func history() throws {
    for name in ["apple-ips/trap-1.1.0-macos-arm64.ips", "apple-ips/trap-1.1.0-ios-arm64.ips"] {
      #expect(home.mayday("ingest", Samples.path(name), "--app", "Tern").status == 0)
    }
    let before = ["TERN-1", "TERN-2"].map { try? home.json("explain", $0)["text"]?.string ?? "" }
    #expect(home.mayday("symbols", "add", Samples.symbols).status == 0)
    let events = try #require(try home.json("show", "TERN-1")["history"]?.array)
    let details = events.filter { $0["event"]?.string == "symbolicated" }
      .compactMap { $0["detail"]?.string }
    #expect(details.count == 2)
    for text in before {
      #expect(
        details.contains {
          $0.hasPrefix("1 report with Tern 4c4c44")
            && $0.hasSuffix("was \(text ?? "?"), is tern::checked")
        }, "\(details)")
    }
    // Adding the files once more changes nothing and adds no event.
    #expect(home.mayday("symbols", "add", Samples.symbols).status == 0)
    #expect(try home.json("show", "TERN-1")["history"]?.array?.count == events.count)
  }
}
