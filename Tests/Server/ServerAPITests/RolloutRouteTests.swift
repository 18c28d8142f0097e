import JSON
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport

/// Roll-outs by commands and API.
@Suite("Roll-outs by commands and API") struct RolloutRouteTests {
  private let folder = ScratchFolder()

  @Test("A release is rolled out, paused and resumed, the same on a home and on a server")
  func rollOut() throws {
    let home = folder.path("home")
    #expect(Run(["ingest", Samples.root + "/Samples/apple-ips", "--home", home]).status == 0)
    #expect(Run(["releases", "add", "Tern", "1.1.0 (118)", "--home", home]).status == 0)
    let server = try #require(RunningServer(home: home))
    let address = ["--server", "http://127.0.0.1:\(server.port)", "--token", server.token]
    for place in [["--home", home], address] {
      func run(_ words: String...) -> Run { Run(["releases", "rollout"] + words + place) }
      let all = run("1.1.0")
      #expect(
        all.output == "1.1.0 (117)  offered to all\n1.1.0 (118)  offered to all\n"
          || place == address)
      let shared = run("1.1.0 (117)", "25%")
      #expect(shared.output == "1.1.0 (117)  offered to 25 %\n", "\(shared.errors)")
      #expect(run("1.1.0", "50", "--json").json.array?.map { $0["percent"]?.integer } == [50, 50])
      #expect(run("1.1.0 (117)", "--pause").output.contains("offered to 50 %, paused"))
      let paused = run("1.1.0", "--json").json
      #expect(paused[0]?["pause"]?.string?.hasPrefix("by ") == true)
      #expect(paused[1]?["pause"] == nil)
      // A larger share alone does not resume it.
      #expect(run("1.1.0 (117)", "60%").output.contains("offered to 60 %, paused"))
      #expect(run("1.1.0 (117)", "--check").output.contains("paused"))
      #expect(run("1.1.0 (117)", "--resume").output == "1.1.0 (117)  offered to 60 %\n")
      for words in [["101%"], ["x"], ["-1"], ["25%", "--pause"], ["--pause", "--resume"]] {
        #expect(Run(["releases", "rollout", "1.1.0"] + words + place).status == 2, "\(words)")
      }
      #expect(run("9.9", "5%").status == 3)
      #expect(run("1.0.0", "--pause").status == 2)
      #expect(run("1.1.0", "--app", "Heron", "5%").status == 3)
    }
    let shown = Run(["releases", "show", "1.1.0 (117)", "--home", home])
    #expect(shown.output.contains("Roll-out\n  1.1.0 (117)  offered to 60 %"), "\(shown.output)")
    #expect(shown.output.contains("rolled out 25 %") && shown.output.contains(": resumed"))
    for body in [
      "{}", #"{"version":"1.1.0"}"#, #"{"version":"1.1.0","percent":101}"#,
      #"{"version":"1.1.0","percent":5,"action":"pause"}"#, #"{"version":" ","percent":5}"#,
      #"{"version":"1.1.0","action":"stop"}"#, #"{"version":"1.1.0","percent":-1}"#,
    ] {
      let answer = server.ask("POST", "/api/v1/releases/rollout", body: Array(body.utf8))
      #expect(answer.map { (400...422).contains($0.status) } == true, "\(body)")
    }
    HomeCare.expectWhole(home)
  }
}
