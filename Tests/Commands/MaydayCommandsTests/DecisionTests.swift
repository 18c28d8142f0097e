import Bytes
import CrashService
import Dispatch
import Glibc
import JSON
import ServerStore
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport
@testable import Rendering

/// The commands for group decisions, run on homes made from the samples.
@Suite("Group decisions on the command line")
struct DecisionTests {
  private let folder = ScratchFolder()
  private var home: [String: String] {
    ["MAYDAY_HOME": folder.path("home"), "MAYDAY_AS": "ann"]
  }

  private func mayday(_ words: String...) -> Run { Run(words, environment: home) }

  private func json(_ run: Run) throws -> JSONValue {
    #expect(run.status == 0, "\(run.errors)")
    return try JSONDocument.parse(ByteView(Array(run.output.utf8))).value
  }

  /// A copy of a sample with another version.
  private func sample(version: String, build: String, as name: String) throws -> String {
    let path = Samples.path("apple-ips/worker-null-1.1.0-macos-arm64.ips")
    let text = try ByteView(reading: path, limit: 1 << 20).text
    return folder.write(
      name, Array(text.replacing("1.1.0", with: version).replacing("117", with: build).utf8))
  }

  /// The groups of 33 reports, with their symbols.
  private func ingestAll() {
    #expect(mayday("symbols", "add", Samples.symbols).status == 0)
    #expect(mayday("ingest", Samples.path("apple-ips")).status == 0)
  }

  @Test("The admin that a server makes does not keep groups from being assigned to others")
  func firstAdmin() throws {
    #expect(mayday("ingest", Samples.path("apple-ips")).status == 0)
    let accounts = AccountsTable(in: try ServerStore(opening: folder.path("home")))
    #expect(try accounts.firstAdmin(now: .now).name == "admin")
    #expect(mayday("assign", "TERN-1", "ann").output.hasSuffix("assigned to ann\n"))
    #expect(mayday("assign", "TERN-1", "ADMIN").output.hasSuffix("assigned to admin\n"))
    _ = try accounts.add("admin2", role: .admin, now: .now)
    #expect(mayday("assign", "TERN-2", "ann").status == 3)
    try accounts.remove("admin2")
    #expect(mayday("assign", "TERN-2", "ann").status == 0)
  }

  @Test("Where there are accounts, groups are assigned to one of them, or to anyone with --anyone")
  func unknownAssignee() throws {
    #expect(mayday("ingest", Samples.path("apple-ips")).status == 0)
    #expect(mayday("assign", "TERN-1", "whoever").output.hasSuffix("assigned to whoever\n"))
    #expect(access(folder.path("home/server.db"), F_OK) != 0, "no server is made of a home")
    #expect(Run(["apps", "add", "Wren"], environment: home).status == 0)
    for account in [["Bob"], ["cid"], ["qa", "--app", "Wren"]] {
      let added = Run(["accounts", "add"] + account, environment: home)
      #expect(added.status == 0, "\(added.errors)")
    }
    let wrong = mayday("assign", "TERN-2", "bobb")
    #expect(wrong.status == 3 && wrong.output.isEmpty)
    #expect(wrong.errors == "mayday: there is no account named bobb; did you mean Bob?\n")
    let far = mayday("assign", "TERN-2", "qa")
    #expect(far.errors.contains("no account named qa; the accounts are Bob, cid\n"))
    #expect(mayday("assign", "TERN-2", "BOB").output.hasSuffix("assigned to Bob\n"))
    #expect(mayday("assign", "TERN-1", "whoever").status == 0, "as before")
    #expect(mayday("assign", "TERN-2", "team", "--anyone").output.hasSuffix("assigned to team\n"))
    #expect(mayday("assign", "TERN-2", "--none").status == 0)
    #expect(mayday("assign", "TERN-99", "Bob").status == 3)
  }

  @Test("Statuses, notes and assignees, and the page that shows them")
  func page() throws {
    ingestAll()
    let resolved = mayday("resolve", "tern-1", "TERN-2", "--in", "1.5.0")
    #expect(
      resolved.output == "TERN-1  resolved by ann in 1.5.0\nTERN-2  resolved by ann in 1.5.0\n")
    #expect(mayday("assign", "TERN-1", "bob", "--as", "eve").output.hasSuffix("assigned to bob\n"))
    let noted = Run(["note", "TERN-1", "-"], environment: home, input: "Two lines:\n\u{1b}[2J\n")
    #expect(noted.status == 0, "\(noted.errors)")
    let ignored = try json(
      mayday("ignore", "TERN-3", "--until", "5", "--users", "2", "--for", "30d", "--json"))
    #expect(ignored["state"]?.string == "ignored" && ignored["state_by"]?.string == "ann")
    #expect(ignored["ignored_until"]?["reports"]?.integer == 5)
    #expect(ignored["ignored_until"]?["users"]?.integer == 2)
    #expect(ignored["ignored_until"]?["time"]?.string?.hasSuffix("Z") == true)

    let page = mayday("show", "TERN-1").output
    for text in [
      "resolved", "Resolved by ann in 1.5.0 (since ", "Assigned to bob", "Notes", "    Two lines:",
      "    \\x1b[2J", "History", "ann     resolved in 1.5.0", "eve     assigned to bob",
    ] { #expect(page.contains(text), "\(text)\n\(page)") }
    for line in page.split(separator: "\n") { #expect(String(line).columns <= 80, "\(line)") }
    let document = try json(mayday("show", "TERN-1", "--json"))
    #expect(document["assignee"]?.string == "bob")
    #expect(document["fixed"]?["version"]?.string == "1.5.0")
    #expect(document["history"]?.array?.last?["event"]?.string == "noted")

    #expect(try json(mayday("groups", "is:resolved", "--json")).array?.count == 2)
    #expect(try json(mayday("groups", "is:ignored", "--json")).array?.count == 1)
    let undone = try json(mayday("undo", "TERN-1", "TERN-2", "--json"))
    #expect(undone.array?.map { $0["state"]?.string } == ["resolved", "open"])
    #expect(!mayday("show", "TERN-1").output.contains("    Two lines:"))
    #expect(mayday("reopen", "TERN-3").output == "TERN-3  open again by ann\n")
    #expect(mayday("assign", "TERN-1", "--none").output == "TERN-1  resolved by ann in 1.5.0\n")
  }

  @Test("A newer release reopens a resolved group, an older one never; the exit code shows it")
  func regressions() throws {
    let first = try sample(version: "1.4.0", build: "512", as: "a.ips")
    let news = mayday("ingest", first, "--exit-code", "new,regressed")
    #expect(
      news.status == 7
        && news.errors.contains("1 report stored in 1 group (1 new), from 1 file"))
    #expect(news.errors.contains("mayday: new: TERN-1"))
    #expect(mayday("resolve", "TERN-1", "--in", "1.5.0").errors == "")
    let old = try sample(version: "1.4.9", build: "530", as: "b.ips")
    #expect(mayday("ingest", old, "--exit-code", "new,regressed").status == 0)
    #expect(try json(mayday("show", "TERN-1", "--json"))["state"]?.string == "resolved")
    let new = try sample(version: "1.10.0", build: "600", as: "c.ips")
    #expect(mayday("ingest", new, "--exit-code", "new").status == 0)
    let again = try sample(version: "1.10.1", build: "601", as: "d.ips")
    #expect(mayday("ingest", again, "--exit-code", "new,regressed").status == 0)
    let page = mayday("show", "TERN-1").output
    #expect(page.contains("seen in 1.10.0 (600), which is newer"), "\(page)")
    #expect(page.contains("Regressed: it was resolved in 1.5.0"))
    // After it is resolved anew, the exit code shows the next regression.
    #expect(mayday("resolve", "TERN-1", "--next").output.contains("after 1.10.1 (601)"))
    let next = try sample(version: "1.11.0", build: "700", as: "e.ips")
    let told = mayday("ingest", next, "--exit-code", "regressed", "--json")
    #expect(told.status == 7)
    #expect(
      told.errors.contains("in 1 group (1 regressed), from 1 file; symbols missing for 1"),
      "\(told.errors)")
    #expect(told.errors.contains("mayday: regressed: TERN-1"))
    let document = try JSONDocument.parse(ByteView(Array(told.output.utf8))).value
    #expect(document["groups"]?[0]?["regressed"]?.bool == true)
    let warned = mayday("resolve", "TERN-1", "--in", "1.11.0")
    #expect(warned.status == 0 && warned.errors.contains("was already seen in 1.11.0 (700)"))
    #expect(mayday("ingest", first, "--exit-code", "old").status == 2)
  }

  @Test("The order of releases is shown, set and reset")
  func releases() throws {
    ingestAll()
    let list = mayday("releases", "list")
    #expect(list.output.contains("1.0.0 (100)       13  2026-03-05  2026-03-26"), "\(list.output)")
    #expect(mayday("releases", "add", "Tern", "1.0.5 (200)").output.contains("1.0.5 (200)"))
    let order = try json(
      mayday("releases", "order", "Tern", "1.1.0", "1.0.5 (200)", "--json"))
    #expect(order.array?.map { $0["version"]?.string } == ["1.0.0", "1.1.0", "1.0.5"])
    #expect(order[2]?["place"]?.string == "set")
    let forgotten = mayday("releases", "order", "Tern", "--by-number", "--ndjson")
    #expect(forgotten.output.split(separator: "\n").count == 3)
    #expect(mayday("releases", "remove", "Tern", "1.0.5").status == 0)
    let wrong = mayday("releases", "order", "Tern", "1.0.0", "1.1")
    #expect(wrong.status == 3 && wrong.errors.contains("did you mean 1.1.0 (117)?"))
    #expect(mayday("releases", "order", "Term", "1.0.0", "1.1.0").status == 3)
    #expect(mayday("releases", "order", "Tern", "1.0.0").status == 2)
    #expect(mayday("releases", "remove", "Tern", "1.0.0").status == 1)
  }

  @Test("Merge, split and undo, with reports that arrive in between")
  func places() throws {
    #expect(mayday("symbols", "add", Samples.symbols).status == 0)
    let files = try (0..<4).map {
      try sample(version: "1.\($0).0", build: "\($0)", as: "\($0).ips")
    }
    #expect(mayday("ingest", files[0], files[1]).status == 0)
    #expect(mayday("ingest", Samples.path("apple-ips")).status == 0)
    let groups = try #require(try json(mayday("groups", "--json")).array)
    let sizes = Dictionary(
      uniqueKeysWithValues: groups.compactMap { group in
        group["id"]?.string.map { ($0, group["reports"]?.integer ?? 0) }
      })
    let merged = try json(mayday("merge", "TERN-1", "TERN-2", "TERN-3", "--json"))
    #expect(merged["merged"]?.array?.compactMap(\.string) == ["TERN-2", "TERN-3"])
    #expect(
      merged["reports"]?.integer
        == ["TERN-1", "TERN-2", "TERN-3"].reduce(0) { $0 + sizes[$1, default: 0] })
    #expect(mayday("show", "TERN-2").output.hasPrefix("TERN-1  "))
    #expect(mayday("ingest", files[2]).status == 0)
    let keys = mayday("split", "TERN-1")
    #expect(keys.output.hasPrefix("KEY ") && keys.output.split(separator: "\n").count == 4)
    let parts = try json(mayday("unmerge", "TERN-2", "TERN-3", "--json"))
    #expect(
      parts.array?.map { $0["reports"]?.integer } == [sizes["TERN-2"], sizes["TERN-3"]])
    #expect(
      try json(mayday("show", "TERN-1", "--json"))["reports"]?.integer
        == sizes["TERN-1", default: 0] + 1)

    let split = mayday("split", "TERN-1", "--where", "version:>=1.2 os:macOS")
    #expect(split.status == 0 && split.errors.contains("1 report moved to "), "\(split.errors)")
    let new = try #require(split.output.split(separator: "\n").last?.prefix { $0 != " " })
    #expect(mayday("ingest", files[3]).output.contains("\(new) "))
    #expect(mayday("show", String(new)).output.contains("off TERN-1, by version:>=1.2 os:macOS"))
    #expect(mayday("undo", "TERN-1").status == 0)
    #expect(mayday("show", String(new)).output.hasPrefix("TERN-1  "))
    #expect(
      try json(mayday("show", "TERN-1", "--json"))["reports"]?.integer
        == sizes["TERN-1", default: 0] + 2)
    HomeCare.expectWhole(folder.path("home"))
  }

  @Test("Mistakes are named, with a remedy, and nothing is done")
  func wrong() throws {
    let first = try sample(version: "1.4.0", build: "512", as: "a.ips")
    let other = Samples.path("apple-ips/null-read-1.1.0-macos-arm64.ips")
    #expect(mayday("ingest", first, other).status == 0)
    let before = mayday("show", "TERN-1").output
    for (words, status, text) in [

      (["resolve", "TERN-99"], 3, "TERN-99"),
      (["resolve", "TERN-1", "--in", "1", "--next"], 2, "--in"),
      (["ignore", "TERN-1", "--for", "soon"], 2, "--for"),
      (["ignore", "TERN-1", "--until", "0"], 2, "--until"),
      (["assign", "TERN-1"], 2, "WHO is missing"),
      (["assign", "TERN-1", "TERN-2"], 2, "which is a group"),
      (["note", "TERN-1"], 2, "TEXT is missing"),
      (["note", "TERN-1", "two", "words"], 2, "quotes"),
      (["note", "TERN-1", " "], 2, "empty"), (["note", "TERN-1", "x", "--as", ""], 2, "name"),
      (["merge", "TERN-1", "TERN-1"], 2, "itself"), (["unmerge", "TERN-1"], 1, "not merged"),
      (["split", "TERN-1", "--where", "colour:red"], 2, "colour"),
      (["split", "TERN-1", "--where", "is:open"], 2, "is:open"),
      (["split", "TERN-1", "--key", "zz"], 3, "mayday split TERN-1"),
      (["undo", "TERN-1"], 3, "no change that could be undone"),
      (["undo", "TERN-1", "77"], 3, "#77"),
      (["undo", "TERN-1", "what"], 2, "what"),
    ] as [([String], Int32, String)] {
      let run = Run(words, environment: home)
      #expect(run.status == status && run.output == "", "\(words): \(run.errors)")
      #expect(run.errors.contains(text), "\(words): \(run.errors)")
    }
    #expect(mayday("show", "TERN-1").output == before)
    let nothing = Run(["resolve", "TERN-1"], environment: ["MAYDAY_HOME": folder.path("none")])
    #expect(nothing.status == 3 && nothing.errors.contains(folder.path("none")))
  }

  @Test("Several processes decide at once, and the history has every decision")
  func atOnce() throws {
    #expect(mayday("ingest", try sample(version: "1.4.0", build: "512", as: "a.ips")).status == 0)
    let environment = home
    DispatchQueue.concurrentPerform(iterations: 8) { number in
      let run = Run(
        ["note", "TERN-1", "note \(number)", "--as", "p\(number)"], environment: environment)
      #expect(run.status == 0, "\(run.errors)")
    }
    let history = try #require(try json(mayday("show", "TERN-1", "--json"))["history"]?.array)
    #expect(Set(history.compactMap { $0["author"]?.string }).count == 9)
  }
}
