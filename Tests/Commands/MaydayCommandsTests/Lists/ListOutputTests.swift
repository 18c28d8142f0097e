import Bytes
import JSON
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport

/// Members, programs of jq, ids and short options: what a daily user adds to a list.
@Suite("Output of lists") struct ListOutputTests {
  private static let filled = FilledHome()
  private let home = Self.filled.home

  private func mayday(_ words: String...) -> Run { Run(words + ["--home", home]) }

  private func json(_ run: Run) throws -> JSONValue {
    #expect(run.status == 0, "\(run.errors)")
    return try JSONDocument.parse(ByteView(Array(run.output.utf8))).value
  }

  @Test("--json with fields prints these members, in their order")
  func fields() throws {
    let whole = try #require(try json(mayday("groups", "--json")).array)
    for words in [["--json", "signature,id"], ["--json=signature,id"]] {
      let chosen = try #require(try json(Run(["groups"] + words + ["--home", home])).array)
      #expect(chosen.count == whole.count)
      for (part, group) in zip(chosen, whole) {
        #expect(part.object?.map(\.key) == ["signature", "id"])
        #expect(part["id"]?.string == group["id"]?.string)
        #expect(part["signature"]?.string == group["signature"]?.string)
      }
    }
    // Columns have dashes in their names, members have underscores.
    let seen = try #require(try json(mayday("groups", "--json", "id,first-seen")).array)
    #expect(seen.first?.object?.map(\.key) == ["id", "first_seen"])
    let lines = mayday("reports", "--ndjson", "--json=id").status
    #expect(lines == 2)
    let group = try json(mayday("show", "TERN-1", "--json=id,reports"))
    #expect(group.object?.map(\.key) == ["id", "reports"])
  }

  @Test("A word after --json that may be part of the query stays one")
  func wordsAfterJSON() throws {
    let app = try #require(try json(mayday("groups", "--json", "app:Tern")).array)
    #expect(!app.isEmpty)
    #expect(try json(mayday("groups", "--json", "app:Tern,Nope")).array?.isEmpty == true)
  }

  @Test("An unknown field is an error that names the fields")
  func unknownField() {
    let run = mayday("groups", "--json", "id,sygnature")
    #expect(run.status == 2 && run.output.isEmpty)
    #expect(run.errors.contains("no field 'sygnature'; did you mean 'signature'?\nFields: "))
    let odd = mayday("groups", "--json=i d")
    #expect(odd.status == 2 && odd.errors.contains("write it like id,reports"))
  }

  @Test("--jq prints the results of a program")
  func jq() throws {
    let ids = try json(mayday("groups", "--json")).array?.compactMap { $0["id"]?.string } ?? []
    #expect(ids.count > 8)
    #expect(mayday("groups", "--jq", ".[].id").output == ids.map { $0 + "\n" }.joined())
    #expect(mayday("groups", "--jq", "length").output == "\(ids.count)\n")
    #expect(mayday("groups", "--ndjson", "--jq", ".id").output == ids.map { $0 + "\n" }.joined())
    #expect(mayday("groups", "--json=id", "--jq", ".[0]|keys").output == "[\"id\"]\n")
    #expect(mayday("show", "TERN-1", "--jq", ".id").output == "TERN-1\n")
    #expect(mayday("apps", "list", "--jq", ".[].name").output == "Tern\n")
    #expect(mayday("stats", "--jq", ".reports").status == 0)
  }

  @Test(
    "A wrong program of jq is refused before anything is done",
    arguments: [(".[", "--jq cannot be '.['"), ("nope", "nope/0 is not defined")])
  func wrongProgram(program: String, message: String) {
    let run = mayday("groups", "--jq", program)
    #expect(run.status == 2 && run.errors.contains(message), "\(run.errors)")
    let failing = mayday("groups", "--jq", ".[0].id.x")
    #expect(failing.status == 2 && failing.errors.contains("--jq: Cannot index string"))
    let table = mayday("groups", "--csv", "--jq", ".")
    #expect(table.status == 2 && table.errors.contains("--jq reads JSON"))
  }

  @Test("--quiet prints ids only")
  func quiet() throws {
    let ids = try json(mayday("groups", "--json")).array?.compactMap { $0["id"]?.string } ?? []
    let run = mayday("groups", "-q")
    #expect(run.output == ids.map { $0 + "\n" }.joined() && run.errors.isEmpty)
    let reports = mayday("reports", "-q", "-n", "2")
    #expect(reports.output.split(separator: "\n").allSatisfy { $0.count == 32 })
    for words in [["--trend"], ["--by", "os"], ["--json"], ["--columns", "id"]] {
      #expect(Run(["groups", "-q", "--home", home] + words).status == 2, "\(words)")
    }
  }

  @Test("Short options mean the same as long ones")
  func shortOptions() {
    #expect(
      mayday("groups", "-n", "3", "-s", "-last-seen").output
        == mayday("groups", "--limit", "3", "--sort", "-last-seen").output)
    #expect(mayday("groups", "-a", "Tern").output == mayday("groups", "app:Tern").output)
    #expect(mayday("reports", "-a", "Tern").output == mayday("reports", "app:Tern").output)
    #expect(
      mayday("show", "TERN-1", "-f", "md").output
        == mayday("show", "TERN-1", "--format", "md").output)
    let (crash, symbols) = (Samples.path("apple-ips"), Samples.path("../Symbols"))
    #expect(Run(["triage", crash, "-s", symbols]).output.isEmpty == false)
  }

  @Test("An app that does not exist is an error with a suggestion")
  func unknownApp() {
    for command in ["groups", "reports"] {
      let run = mayday(command, "-a", "Tren")
      #expect(run.status == 3 && run.output.isEmpty && run.errors.contains("Tern"), "\(run.errors)")
    }
  }

  @Test("show without an id shows the group that was seen first most recently")
  func newest() throws {
    let newest = mayday("groups", "-s", "first-seen", "-n", "1", "-q").output
    let run = mayday("show")
    #expect(run.status == 0 && run.output.hasPrefix(newest.dropLast() + "  "))
    let empty = ScratchFolder()
    _ = Run(["apps", "add", "Tern", "--home", empty.path("home")])
    let none = Run(["show", "--home", empty.path("home")])
    #expect(none.status == 3 && none.errors.contains("no group yet"))
  }

  @Test("--web prints the address of the page where there is no browser")
  func web() throws {
    #expect(mayday("groups", "--web").errors.contains("no server has served this home"))
    let folder = ScratchFolder()
    let home = folder.path("home")
    #expect(Run(["ingest", Samples.path("apple-ips"), "--home", home, "-a", "Tern"]).status == 0)
    let server = try #require(RunningServer(home: home))
    defer { server.stop() }
    let start = "http://127.0.0.1:\(server.port)"
    func address(_ words: String...) -> String {
      let run = Run(words + ["--web", "--home", home])
      #expect(run.status == 0, "\(run.errors)")
      return run.output
    }
    #expect(address("groups", "is:open", "os:iOS") == start + "/?q=is%3Aopen%20os%3AiOS\n")
    #expect(address("groups", "-a", "Tern") == start + "/?q=app%3ATern\n")
    #expect(address("show", "tern-1") == start + "/groups/TERN-1\n")
    let report = Run(["reports", "-q", "-n", "1", "--home", home]).output
    #expect(address("show", String(report.prefix(8))) == start + "/reports/" + report)
    let remote = Run(["show", "TERN-1", "--web", "--server", start, "--token", server.token])
    #expect(remote.output == start + "/groups/TERN-1\n")
  }

  @Test("Users are counted under one name; the former one still works")
  func users() throws {
    let sorted = mayday("groups", "-s", "users", "-q")
    #expect(sorted.status == 0 && sorted.output == mayday("groups", "-s", "installs", "-q").output)
    let columns = mayday("groups", "--columns", "id,installs", "--csv").output
    #expect(columns.hasPrefix("id,users\r\n"))
    let found = mayday("groups", "users:>=2", "-q")
    #expect(found.status == 0 && found.output == mayday("groups", "installs:>=2", "-q").output)
    let counts = try #require(try json(mayday("groups", "--json", "id,installs")).array)
    #expect(
      found.output.split(separator: "\n").count
        == counts.count { ($0["installs"]?.integer ?? 0) >= 2 })
  }

  @Test("--watch is for a terminal")
  func watch() {
    let run = mayday("groups", "--watch")
    #expect(run.status == 2 && run.errors.contains("--watch needs a terminal"))
    #expect(mayday("groups", "--watch=0").errors.contains("1 to 86400"))
  }
}
