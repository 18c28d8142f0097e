import Bytes
import CrashService
import CrashStore
import HTTP
import JSON
import ServerStore
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport

@Suite("Tickets and trackers on the command line")
struct TicketCommandTests {
  private let folder = ScratchFolder()
  private var environment: [String: String] {
    ["MAYDAY_HOME": folder.path("home"), "MAYDAY_AS": "ann"]
  }
  private static let url = "https://github.com/acme/tern/issues/7"

  private func mayday(_ words: String...) -> Run { Run(words, environment: environment) }

  private func json(_ run: Run) throws -> JSONValue {
    #expect(run.status == 0, "\(run.errors)")
    return try JSONDocument.parse(ByteView(Array(run.output.utf8))).value
  }

  @Test("A ticket is set, shown, closed and removed")
  func ticket() throws {
    #expect(mayday("ingest", Samples.path("apple-ips")).status == 0)
    #expect(mayday("ticket", "tern-1", Self.url).output.contains("ticket \(Self.url) (open)"))
    #expect(mayday("show", "TERN-1").output.contains("Ticket \(Self.url) (open)"))
    let closed = try json(mayday("ticket", "TERN-1", Self.url, "--closed", "--json"))
    #expect(closed["ticket"]?["url"]?.string == Self.url)
    #expect(closed["ticket"]?["state"]?.string == "closed")
    #expect(try json(mayday("show", "TERN-1", "--json"))["ticket"] == closed["ticket"])
    #expect(mayday("ticket", "TERN-1", "TERN-2", "--none").status == 0)
    #expect(try json(mayday("show", "TERN-1", "--json"))["ticket"] == nil)
    #expect(mayday("undo", "TERN-1").output.contains("(closed)"))
    for (words, status, message) in [
      (["TERN-1"], 2, "URL is missing"), (["TERN-1", "--none", "--closed"], 2, "--closed"),
      (["TERN-1", "seven"], 2, "'seven' is not the address of a ticket"),
      (["seven", Self.url], 2, "'seven' is not a group"), (["TERN-999", Self.url], 3, "TERN-999"),
    ] as [([String], Int32, String)] {
      let run = Run(["ticket"] + words, environment: environment)
      #expect(run.status == status && run.errors.contains(message), "\(words) \(run.errors)")
    }
  }

  @Test("A tracker is set by its address, and its token is never printed")
  func tracker() throws {
    #expect(mayday("ingest", Samples.path("apple-ips")).status == 0)
    let token = folder.write("token", "tok-7Qx\n".utf8)
    let set = mayday(
      "apps", "set", "Tern", "--tracker", "https://github.com/acme/tern", "--tracker-token-file",
      token, "--ticket-users", "10")
    #expect(set.status == 0 && set.output.contains("TRACKER"))
    func tracker() throws -> JSONValue? {
      try json(mayday("apps", "--json")).array?.first { $0["name"]?.string == "Tern" }?["tracker"]
    }
    let made = try #require(try tracker())
    #expect(made["kind"]?.string == "github" && made["users"]?.integer == 10)
    #expect(made["reads_states"] == .bool(true) && made["reports"] == nil)
    let limits = mayday(
      "apps", "set", "Tern", "--ticket-users", "none", "--ticket-reports", "5")
    #expect(limits.status == 0)
    let changed = try #require(try tracker())
    #expect(changed["users"] == nil && changed["reports"]?.integer == 5)
    #expect(changed["reads_states"] == .bool(true))
    for run in [set, mayday("apps"), mayday("apps", "--json")] {
      #expect(!run.output.contains("tok-7Qx") && !run.output.contains(token))
    }
    #expect(mayday("apps", "set", "Tern", "--tracker", "none").status == 0)
    #expect(try tracker() == nil)
    for (words, message) in [
      (["--tracker", "https://git.example.org/tern"], "put the kind of tracker in front"),
      (["--tracker", "gitlab:tern"], "is not the address of a project"),
      (["--tracker", "other:https://example.org/new"], "{title}"),
      (["--ticket-users", "3"], "the app has no tracker"),
      (["--tracker", "none", "--ticket-users", "3"], "--tracker none"),
      (["--tracker", "https://github.com/a/b", "--ticket-users", "0"], "at least 1"),
      (["--tracker-token-file", "token"], "whole path"),
    ] as [([String], String)] {
      let run = Run(["apps", "set", "Tern"] + words, environment: environment)
      #expect(run.status == 2, "\(words)")
      #expect(run.errors.contains(message), "\(words) \(run.errors)")
    }
  }

  @Test("The address of a group's page is shown once a server has served the home")
  func address() throws {
    #expect(mayday("ingest", Samples.path("apple-ips")).status == 0)
    #expect(!mayday("show", "TERN-1").output.contains("/groups/TERN-1"))
    try AlertsTable(in: ServerStore(opening: folder.path("home")))
      .setServerURL("https://crashes.example.org/")
    let link = "https://crashes.example.org/groups/TERN-1"
    #expect(mayday("show", "TERN-1").output.contains("  \(link)\n"))
    #expect(mayday("show", "TERN-1", "--format", "md").output.contains("<\(link)>\n"))
    let report = try #require(try json(mayday("show", "TERN-1", "--json"))["exemplar"]?.string)
    let address = "https://crashes.example.org/reports/" + report
    #expect(mayday("show", report).output.contains("  \(address)\n"))
    #expect(mayday("show", report, "--format", "md").output.contains("<\(address)>\n"))
  }
}
