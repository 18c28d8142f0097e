import JSON
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport
@testable import Rendering

@Suite("mayday explain --against")
struct AgainstTests {
  private let home = ExplainHome()

  private func ingest(_ sample: String, app: String = "Tern") {
    let run = home.mayday("ingest", Samples.path(sample), "--app", app)
    #expect(run.status == 0, "\(run.errors)")
  }

  private func reasons(_ one: String, _ other: String) throws -> (JSONValue, String) {
    let compared = try home.json("explain", one, "--against", other)
    return (
      compared,
      (compared["reasons"]?.array ?? []).compactMap(\.string).joined(separator: "\n")
    )
  }

  @Test("Two functions, two categories: where they diverge, and why")
  func parting() throws {
    #expect(home.mayday("symbols", "add", Samples.symbols).status == 0)
    ingest("apple-ips/abort-1.0.0-macos-x86_64.ips")
    ingest("apple-ips/raised-exception-1.0.0-macos-x86_64.ips")
    let (compared, reasons) = try reasons("TERN-1", "TERN-2")
    #expect(compared["same_key"]?.bool == false && compared["same_group"]?.bool == false)
    #expect(reasons.contains("Their categories differ: A is abort, B is assert."))
    #expect(reasons.contains("They diverge at part 1: A has “tern::invariant”"))
    let steps = try #require(compared["steps"]?.array)
    let first = try #require(compared["first_difference"]?.integer)
    #expect(steps[..<first].allSatisfy { $0["same"]?.bool == true })
    #expect(steps[first]["same"]?.bool == false)
    // Each side's frames appear once and in order.
    for side in ["a", "b"] {
      let frames = steps.compactMap { $0[side]?["frame"]?.integer }
      #expect(frames == Array(frames.indices) && !frames.isEmpty)
    }
    let words = home.mayday("explain", "TERN-1", "--against", "TERN-2")
    #expect(words.output.contains("← the first difference"))
    #expect(words.output.split(separator: "\n").allSatisfy { String($0).columns <= 80 })
    Golden.expect(words.output, is: "explain/against.txt")
  }

  @Test("One key in one group; the same function in two apps")
  func sameKey() throws {
    #expect(home.mayday("symbols", "add", Samples.symbols).status == 0)
    ingest("apple-ips/abort-1.0.0-macos-x86_64.ips")
    ingest("apple-crash/abort-1.0.0-ios-arm64.crash")
    ingest("apple-ips/abort-1.1.0-ios-arm64.ips", app: "Gull")
    let ids = try home.reports()
    let gull = try #require(try home.json("show", "GULL-1")["report"]?["id"]?.string)
    let terns = ids.filter { $0 != gull }
    let (one, same) = try reasons(terns[0], terns[1])
    #expect(one["same_group"]?.bool == true && one["verdict"]?.string == "Both are in TERN-1.")
    #expect(same == "Their texts are the same, so they have the same key.")
    let (_, apps) = try reasons("TERN-1", "GULL-1")
    #expect(
      apps
        == "They belong to two apps, Tern and Gull: a group is of one app.\n"
        + "The likeness of their stacks is 1.00: 7 of 7 frames agree, besides 3 that only show how "
        + "the process died.")
  }

  @Test("An image that waits for a debug file is shown, with its id")
  func provisional() throws {
    ingest("apple-ips/trap-1.1.0-macos-arm64.ips")
    ingest("apple-ips/trap-1.1.0-ios-arm64.ips")
    let (_, reasons) = try reasons("TERN-1", "TERN-2")
    #expect(reasons.contains("A is provisional: it waits for the debug file of 4c4c44"))
    #expect(reasons.contains("B is provisional: it waits for the debug file of 4c4c44"))
  }

  @Test("A key that is the alternative key of the other is reported")
  func alternative() throws {
    // The same crash, read with only a symbol table: no inlined calls, so the caller's name.
    let crash = Samples.path("apple-ips/trap-1.1.0-macos-arm64.ips")
    let build = Samples.symbols + "/1.1.0/macos"
    #expect(home.mayday("symbols", "add", build + "/Tern").status == 0)
    ingest("apple-ips/trap-1.1.0-macos-arm64.ips")
    let full = home.mayday(
      "explain", crash, "--symbols", build + "/Tern.app.dSYM", "--app", "Tern", "--against",
      "TERN-1", "--json")
    let compared = try ExplainHome.parse(full)
    let reasons = (compared["reasons"]?.array ?? []).compactMap(\.string)
    #expect(
      reasons.contains { $0.hasPrefix("A can be read, without inlined calls, so that it has the") },
      "\(reasons)")
  }
}
