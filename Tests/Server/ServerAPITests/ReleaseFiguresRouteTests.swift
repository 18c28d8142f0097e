import Bytes
import JSON
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport

/// Figures of a release, from a home and from a server.
@Suite("Figures of releases by commands and API") struct ReleaseFiguresRouteTests {
  private let folder = ScratchFolder()

  @Test("releases show prints the same from a home and from a server")
  func show() throws {
    let home = folder.path("home")
    #expect(Run(["ingest", Samples.root + "/Samples/apple-ips", "--home", home]).status == 0)
    let server = try #require(RunningServer(home: home))
    let address = ["--server", "http://127.0.0.1:\(server.port)", "--token", server.token]
    for words in [
      ["releases", "show", "1.1.0"], ["releases", "show", "1.1.0 (117)", "--app", "Tern"],
      ["releases", "show", "1.0.0", "--days", "90"],
    ] {
      for words in [words, words + ["--json"]] {
        let (local, remote) = (Run(words + ["--home", home]), Run(words + address))
        #expect(local.status == 0 && local.output == remote.output, "\(words): \(remote.errors)")
        guard !words.contains("--json") else { continue }
        #expect(local.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(words)")
      }
    }
    let figures = Run(["releases", "show", "1.1.0", "--json", "--home", home]).json
    #expect(figures["reports"]?.integer == 20 && figures["builds"]?[0]?.string == "117")
    let new = try #require(figures["new_groups"]?["items"]?.array)
    #expect(!new.isEmpty)
    #expect(figures["missing"]?["items"]?[0]?["debug_id"]?.string != nil)
    #expect(figures["crash_free"]?["formula"]?.string?.hasPrefix("crash-free = 1 -") == true)
    HomeCare.expectWhole(server.home)
  }

  @Test("A release that does not exist, or that several apps have, is an error that says so")
  func errors() throws {
    let home = folder.path("home")
    #expect(Run(["releases", "add", "Tern", "1.4.2", "--home", home]).status != 0)
    #expect(Run(["ingest", Samples.root + "/Samples/apple-ips", "--home", home]).status == 0)
    let server = try #require(RunningServer(home: home))
    let address = ["--server", "http://127.0.0.1:\(server.port)", "--token", server.token]
    #expect(Run(["releases", "add", "Heron", "1.1.0", "--home", home]).status == 0)
    for place in [["--home", home], address] {
      let missing = Run(["releases", "show", "9.9"] + place)
      #expect(missing.status == 3 && missing.errors.contains("no app has a release 9.9"))
      let other = Run(["releases", "show", "9.9", "--app", "Tern"] + place)
      #expect(other.errors.contains("Tern has no release 9.9"), "\(other.errors)")
      let app = Run(["releases", "show", "1.1.0", "--app", "Gull"] + place)
      #expect(app.status == 3, "\(app.errors)")
      let several = Run(["releases", "show", "1.1.0"] + place)
      #expect(several.status == 2 && several.errors.contains("Heron, Tern"), "\(several.errors)")
      #expect(Run(["releases", "show", "1.1.0", "--app", "Heron"] + place).status == 0)
      #expect(Run(["releases", "show", "1.1.0", "--days", "91"] + place).status == 2)
      #expect(Run(["releases", "show", " "] + place).status == 2)
    }
    for query in ["", "?version=", "?version=%20", "?version=1.1.0&app=Tern&days=0"] {
      let answer = server.ask("GET", "/api/v1/releases/figures" + query)
      #expect(answer?.status == 400, "\(query)")
    }
  }

  @Test("A token of one app sees only that app's release")
  func scoped() throws {
    let home = folder.path("home")
    #expect(Run(["ingest", Samples.root + "/Samples/apple-ips", "--home", home]).status == 0)
    #expect(Run(["releases", "add", "Heron", "1.1.0", "--home", home]).status == 0)
    let made = Run(["tokens", "add", "t", "--scope", "read", "--app", "Heron", "--home", home])
    let token = String(made.output.dropLast())
    let server = try #require(RunningServer(home: home, token: token))
    let address = ["--server", "http://127.0.0.1:\(server.port)", "--token", token]
    let own = Run(["releases", "show", "1.1.0", "--json"] + address)
    #expect(own.json["app"]?.string == "Heron" && own.json["reports"]?.integer == 0)
    #expect(Run(["releases", "show", "1.1.0", "--app", "Tern"] + address).status == 3)
  }
}
