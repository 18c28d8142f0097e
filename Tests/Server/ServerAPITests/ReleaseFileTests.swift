import Bytes
import CrashStore
import JSON
import TestSupport
import Testing
import Updates

@testable import ProgramSupport

/// Releases as files, by commands on a home and on a server, whose outputs must be equal.
@Suite("Files of releases", .serialized)
struct ReleaseFileTests {
  private let folder = ScratchFolder()
  private static let ipa = Samples.root + "/Artefacts/Tern-1.0.0.ipa"

  private func json(_ run: Run) throws -> JSONValue {
    #expect(run.status == 0, "\(run.errors)")
    return try JSONDocument.parse(ByteView(run.output.utf8)).value
  }

  @Test("A release is added, published, edited and withdrawn; each change is printed")
  func commands() throws {
    let home = folder.path("home")
    try steps(["--home", home])
    let history = try json(
      Run(["releases", "files", "--home", home, "--json"]))
    #expect(history.array?.count == 1)
    HomeCare.expectWhole(home)
  }

  @Test("A server does the same, for a token that may publish")
  func server() throws {
    let home = folder.path("home")
    #expect(Run(["apps", "add", "Tern", "--home", home]).status == 0)
    let server = try #require(RunningServer(home: home))
    let body = #"{"label":"CI","scopes":["releases","read"]}"#
    let made = try #require(server.ask("POST", "/api/v1/tokens", body: Array(body.utf8)))
    let token = try #require(JSONDocument.parse(ByteView(made.body)).value["token"]?.string)
    try steps(["--server", "http://127.0.0.1:\(server.port)", "--token", token])
    // The audit log has each action, and the history the token's label.
    let audit = server.json("/api/v1/audit")["items"]?.array ?? []
    #expect(audit.contains { $0["action"]?.string == "publish release" })
    let history = try #require(
      server.ask("GET", "/api/v1/artefacts/history?app=Tern", token: token))
    let events = try JSONDocument.parse(ByteView(history.body)).value["items"]?.array ?? []
    #expect(events.first?["event"]?.string == "added")
    #expect(events.allSatisfy { $0["author"]?.string == "CI" })
    // A token with read scope cannot publish.
    let reader = #"{"label":"Reader","scopes":["read"]}"#
    let read = try #require(server.ask("POST", "/api/v1/tokens", body: Array(reader.utf8)))
    let other = try #require(JSONDocument.parse(ByteView(read.body)).value["token"]?.string)
    let refused = Run([
      "releases", "disable", "1.0.0", "--app", "Tern", "--server",
      "http://127.0.0.1:\(server.port)", "--token", other,
    ])
    #expect(refused.status == 4)
    #expect(refused.errors.contains("releases"))
  }

  private func steps(_ place: [String]) throws {
    let added = try json(
      Run(
        ["releases", "add", Self.ipa, "--app", "Tern", "--notes", "Fixes the nest.", "--json"]
          + place))
    let artefact = try #require(added.array?.first)
    #expect(artefact["number"]?.integer == 1)
    #expect(artefact["version"]?.string == "1.0.0")
    #expect(artefact["package"]?["identifier"]?.string == "com.example.tern")
    #expect(artefact["notes"]?.string == "Fixes the nest.")
    #expect(artefact["destinations"]?.array?.isEmpty == true)

    let group = try json(Run(["testers", "add-group", "Beta", "--app", "Tern", "--json"] + place))
    #expect(group.array?.first?["public"]?.bool == false)
    let published = try json(
      Run(
        ["releases", "edit", "1.0.0", "--app", "Tern", "--groups", "Beta", "--mandatory", "--json"]
          + place))
    let destination = published.array?.first?["destinations"]?.array?.first
    #expect(destination?["mandatory"]?.bool == true)
    let list = Run(["releases", "files", "--app", "Tern"] + place)
    #expect(list.output.contains("Beta (mandatory)"), "\(list.output)")

    let invited = Run(
      [
        "testers", "invite", "ada@example.org", "--group", "Beta", "--app", "Tern", "--address",
        "https://crashes.example.org/",
      ] + place)
    #expect(
      invited.output.hasPrefix(
        "ada@example.org: https://crashes.example.org/install/invitations/"))
    #expect(Run(["testers", "--app", "Tern"] + place).output.contains("invited"))
    let resend = ["testers", "resend", "ada@example.org", "--app", "Tern"] + place
    let again = try json(Run(resend + ["--json"])).array?.first
    #expect(again?["mailed"]?.bool == false, "no mail server is set up")
    #expect(again?["invitation"]?.string.map(invited.output.contains) == false)
    let mailed = Run(resend + ["--mail"])
    #expect(mailed.status == 2, "\(mailed.errors)")
    #expect(mailed.errors.contains("no mail can be sent to testers: "))
    #expect(Run(["testers", "mails", "--app", "Tern"] + place).errors == "No mails to testers.\n")
    let revoke = ["testers", "revoke", "ada@example.org", "--app", "Tern"] + place
    #expect(Run(revoke + ["--invitations"]).errors.contains("1 revoked"))
    #expect(Run(["testers", "--app", "Tern"] + place).output.contains("expired"))
    #expect(Run(["testers", "revoke", "ada@example.org", "--app", "Tern"] + place).status == 0)
    #expect(
      Run(["testers", "remove", "ada@example.org", "--app", "Tern"] + place).status == 0)
    #expect(
      Run(["testers", "remove", "ada@example.org", "--app", "Tern"] + place).status == 3)

    let withdrawn = try json(
      Run(
        ["releases", "edit", "#1", "--app", "Tern", "--withdraw", "Beta", "--json"] + place))
    #expect(withdrawn.array?.first?["destinations"]?.array?.isEmpty == true)
    let disabled = try json(
      Run(["releases", "disable", "1.0.0", "--app", "Tern", "--json"] + place))
    #expect(disabled.array?.first?["enabled"]?.bool == false)
    let enabled = try json(
      Run(["releases", "enable", "#1", "--app", "Tern", "--json"] + place))
    #expect(enabled.array?.first?["enabled"]?.bool == true)
    #expect(
      Run(["testers", "edit-group", "Beta", "--public", "--app", "Tern"] + place).status == 0)
    #expect(Run(["testers", "groups", "--app", "Tern"] + place).output.contains("public"))
    #expect(Run(["testers", "remove-group", "Beta", "--app", "Tern"] + place).status == 0)
    #expect(
      Run(["testers", "remove-group", "Collaborators", "--app", "Tern"] + place).status == 1)
  }

  @Test("A file that cannot be released is refused with the reason")
  func refusals() throws {
    let home = folder.path("home")
    func add(_ name: String, _ text: String, _ options: [String] = []) throws -> Run {
      let path = folder.write(name, Array(text.utf8))
      return Run(["releases", "add", path, "--app", "Tern", "--home", home] + options)
    }
    let text = try add("tern.txt", "text")
    #expect(text.status == 2)
    #expect(text.errors.contains("not a file that can be released"), "\(text.errors)")
    let empty = try add("tern.zip", "", ["--release", "1.0"])
    #expect(empty.status == 2)
    let unnamed = try add("tern.dmg", "koly")
    #expect(unnamed.errors.contains("doesn't say its version"), "\(unnamed.errors)")
    let broken = try add("tern.ipa", "not a zip")
    #expect(broken.status == 2)
    #expect(broken.errors.contains("tern.ipa"), "\(broken.errors)")
    let other = Run([
      "releases", "add", Self.ipa, "--app", "Tern", "--home", home, "--release", "9.9",
    ])
    #expect(other.errors.contains("the file says it is 1.0.0 (1000), not 9.9"), "\(other.errors)")
    #expect(Run(["apps", "list", "--home", home, "--json"]).output == "[]\n")
    let given = try add("tern.dmg", "koly", ["--release", "1.0 (7)"])
    #expect(given.status == 0, "\(given.errors)")
  }

  @Test("Publishing warns if clients of the iTunes lookup are not offered a release")
  func lookup() throws {
    let home = folder.path("home")
    let path = folder.write("tern.dmg", Array("koly".utf8))
    #expect(Run(["apps", "add", "Tern", "--home", home]).status == 0)
    #expect(Run(["testers", "add-group", "All", "--public", "--home", home]).status == 0)
    func published(_ version: String, _ group: String) -> String {
      Run([
        "releases", "add", path, "--app", "Tern", "--release", version, "--groups", group, "--home",
        home,
      ]).errors
    }
    #expect(published("1.4.2.1", "All").contains("the iTunes lookup skips it"))
    #expect(!published("1.4.2", "All").contains("skips"))
    #expect(published("1.4.2.2", "Collaborators").isEmpty)
  }

  @Test("Publishing warns if a file reaches no client, in commands, answers, and on the page")
  func warnings() throws {
    let home = folder.path("home")
    #expect(Run(["apps", "add", "Tern", "--home", home]).status == 0)
    #expect(Run(["testers", "add-group", "All", "--public", "--home", home]).status == 0)
    let store = try CrashStore(opening: home)
    for (version, build) in [("2.0.0", "20"), ("1.4.4", "14")] {
      var package = AppPackage(.ipa)
      (package.version, package.build) = (version, build)
      _ = try store.distribution.add(
        ByteView(version.utf8), named: "tern.ipa", package: package, to: "Tern", by: "ci")
    }
    func publish(_ version: String) -> String {
      Run(["releases", "edit", version, "--app", "Tern", "--groups", "All", "--home", home]).errors
    }
    #expect(!publish("2.0.0").contains("added after"))
    #expect(publish("1.4.4").contains("1.4.4 (14): it was added after 2.0.0 (20)"))
    let server = try #require(RunningServer(home: home))
    let found = server.json("/api/v1/artefacts/warnings?app=Tern")["items"]
    #expect(found?.array?.count == 1)
    #expect(found?[0]?["kind"]?.string == "lower" && found?[0]?["number"]?.integer == 2)
    #expect(server.json("/api/v1/artefacts/warnings?app=Tern&version=2.0.0")["items"]?.array == [])
    #expect(server.ask("GET", "/api/v1/artefacts/warnings?app=Nope")?.status == 404)
    let edited = Run(
      ["releases", "edit", "1.4.4", "--app", "Tern", "--groups", "All", "--token", server.token]
        + ["--server", "http://127.0.0.1:\(server.port)"])
    #expect(edited.status == 0 && edited.errors.contains("it was added after 2.0.0 (20)"))
    // The file is disabled: it is offered to no client on purpose.
    #expect(Run(["releases", "disable", "1.4.4", "--app", "Tern", "--home", home]).status == 0)
    #expect(server.json("/api/v1/artefacts/warnings?app=Tern")["items"]?.array == [])
  }

  @Test("Nothing is added to an app that does not exist if it should be published")
  func noApp() {
    let home = folder.path("home")
    let path = folder.write("tern.dmg", Array("koly".utf8))
    #expect(Run(["apps", "add", "Tern", "--home", home]).status == 0)
    let added = Run([
      "releases", "add", path, "--app", "Nope", "--release", "1.0", "--groups", "All", "--home",
      home,
    ])
    #expect(added.status != 0 && added.errors.contains("there is no app named Nope"))
    #expect(!Run(["apps", "list", "--home", home]).output.contains("Nope"))
    let unnamed = Run(["releases", "add", path, "--app", "Tern", "--home", home])
    #expect(unnamed.errors.contains("--release of mayday releases add"))
  }
}
