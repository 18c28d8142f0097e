import Bytes
import CrashStore
import JSON
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport

@Suite("Hidden parts of reports on the command line")
struct ProtectionCommandTests {
  private let folder = ScratchFolder()
  private var environment: [String: String] { ["MAYDAY_HOME": folder.path("home")] }

  private func mayday(_ words: String...) -> Run { Run(words, environment: environment) }

  private func protection(_ run: Run) throws -> JSONValue? {
    #expect(run.status == 0, "\(run.errors)")
    let apps = try JSONDocument.parse(ByteView(Array(run.output.utf8))).value
    return apps["protection"] ?? apps.array?.first { $0["name"]?.string == "Tern" }?["protection"]
  }

  @Test("Roles are set part by part, shown, and set by a server, too")
  func set() throws {
    #expect(mayday("apps", "add", "Tern").status == 0)
    #expect(try protection(mayday("apps", "--json")) == nil)
    let set = mayday("apps", "protect", "Tern", "--user", "triage")
    #expect(set.status == 0, "\(set.errors)")
    // The submission contains the user.
    let rows = set.output.split(separator: "\n").map {
      $0.split(separator: " ").prefix(2).joined(separator: " ")
    }
    #expect(
      rows.suffix(4) == ["user triage", "properties viewer", "log viewer", "submission triage"])
    let both = mayday("apps", "protect", "Tern", "--log", "admin", "--json")
    let made = try #require(try protection(both))
    #expect(made["user"]?.string == "triage" && made["log"]?.string == "admin")
    #expect(made["submission"] == nil && made["properties"] == nil)
    // A rename keeps it, as does a backup.
    #expect(mayday("apps", "rename", "Tern", "Sterna").status == 0)
    #expect(mayday("apps").output.contains("SEEN FROM ROLE"))
    #expect(mayday("apps", "rename", "Sterna", "Tern").status == 0)

    let server = try #require(RunningServer(home: folder.path("home")))
    func remote(_ words: String...) -> Run {
      Run(
        ["apps"] + words
          + ["--server", "http://127.0.0.1:\(server.port)", "--token", server.token])
    }
    let cleared = remote("protect", "Tern", "--log", "viewer", "--submission", "admin", "--json")
    let changed = try #require(try protection(cleared))
    #expect(changed["user"]?.string == "triage" && changed["log"] == nil)
    #expect(changed["submission"]?.string == "admin")
    #expect(remote("protect", "Tern", "--user", "viewer", "--submission", "viewer").status == 0)
    #expect(server.stop() == 0)
    #expect(try protection(mayday("apps", "--json")) == nil)
  }

  @Test("What is not a role, and an app that is not there, change nothing")
  func refusals() throws {
    #expect(mayday("apps", "add", "Tern").status == 0)
    for (words, status, message) in [
      (["Tern"], 2, "nothing to set"), (["Tern", "--user", "boss"], 2, "viewer, triage, admin"),
      (["tern", "--user", "admin"], 3, "did you mean 'Tern'?"),
    ] as [([String], Int32, String)] {
      let run = Run(["apps", "protect"] + words, environment: environment)
      #expect(run.status == status && run.errors.contains(message), "\(words) \(run.errors)")
    }
    #expect(try protection(mayday("apps", "--json")) == nil)
  }
}
