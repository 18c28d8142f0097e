import Bytes
import CrashStore
import JSON
import TestSupport
import Testing
import Updates

@testable import ProgramSupport

/// Downloads of releases, as they are counted and shown.
@Suite("Counts of downloads", .serialized) struct DownloadCountTests {
  private let folder = ScratchFolder()
  private var home: String { folder.path("home") }
  private let store: CrashStore
  private let app: DistributedApp

  init() throws {
    store = try CrashStore(opening: folder.path("home"))
    app = try DistributedApp("Tern", number: 1, in: store)
  }

  @Test("A download counts where its first byte is sent, and all views show it")
  func counts() throws {
    try app.apk("3.4.1", "341")
    try app.apk("3.5.0", "350", to: ["Beta"])
    let server = try #require(RunningServer(home: home))
    let file = "/downloads/Tern/1/file/tern.apk"
    func status(
      _ method: String = "GET", _ path: String = file, _ headers: [String] = []
    ) -> Int? { server.ask(method, path, token: "", headers: headers)?.status }
    #expect(status() == 200)
    #expect(status("GET", file, ["Range: bytes=0-3"]) == 206)
    // None of these begins one.
    #expect(status("GET", file, ["Range: bytes=4-"]) == 206)
    #expect(status("GET", file, ["Range: bytes=999999-"]) == 416)
    #expect(status("HEAD") == 200)
    let tag = try #require(server.ask("GET", file, token: "")?.headers["etag"])
    #expect(status("GET", file, ["If-None-Match: \(tag)"]) == 304)
    #expect(status("GET", "/downloads/Tern/1/icon") == 404)
    #expect(status("GET", "/downloads/Tern/2/file/tern.apk") == 403)
    let install = "2ecf1b1c-52cb-4b9c-a0a4-6c0a1a06a5c3"
    let group = try app.id(ofGroup: DistributedApp.open)
    #expect(
      status(
        "GET",
        "/v0.1/public/sdk/apps/\(app.secret)/releases/latest?downloaded_release_id=1"
          + "&install_id=\(install)&distribution_group_id=\(group)") == 200)
    let counts = "/v0.1/apps/acme/Tern/analytics/distribution/release_counts"
    func ask(_ body: String) -> WebClient.Answer? {
      server.ask("POST", counts, body: Array(body.utf8))
    }
    // Counts in memory are stored every ten seconds.
    #expect(
      RunningMayday.wait {
        ask(#"{"releases":[{"release":1}]}"#)?.text.contains("\"total_count\":3") == true
      })
    let answer = try #require(
      ask(
        #"{"releases":[{"release":"1","distribution_group":"Everyone"},{"release":1},{"release":"2","distribution_group":"Beta"}]}"#
      ))
    #expect(answer.status == 200)
    let list = try JSONDocument.parse(ByteView(answer.body)).value["counts"]
    #expect(list?.array?.count == 3)
    #expect(list?[0]?["total_count"]?.integer == 3 && list?[0]?["unique_count"]?.integer == 1)
    #expect(list?[0]?["release_id"]?.string == "1")
    #expect(list?[0]?["distribution_group"]?.string == "Everyone")
    #expect(list?[1]?["total_count"]?.integer == 3)
    #expect(list?[2]?["total_count"]?.integer == 0)
    for (body, status) in [
      ("{}", 400), (#"{"releases":[]}"#, 400), (#"{"releases":[{}]}"#, 400), ("[]", 400),
      (#"{"releases":[{"release":"x"}]}"#, 400), (#"{"releases":[{"release":"9"}]}"#, 404),
      (#"{"releases":[{"release":"1","distribution_group":"Nobody"}]}"#, 404),
      (#"{"releases":[{"release":9223372036854775808}]}"#, 400),
    ] {
      #expect(ask(body)?.status == status, "\(body)")
    }
    let many = (0...100).map { _ in #"{"release":"1"}"# }.joined(separator: ",")
    #expect(ask(#"{"releases":[\#(many)]}"#)?.status == 400)
    #expect(server.ask("POST", counts, token: "", body: Array("{}".utf8))?.status == 401)
    // The rest is stored when the server stops.
    #expect(status() == 200)
    #expect(server.stop() == 0)
    let figures = try store.distribution.figures(ofArtefact: 1, of: "Tern")
    #expect(figures.downloads == 4 && figures.installs == 1)
    #expect(figures.groups.map(\.name) == [DistributedApp.open])
    #expect(try store.distribution.figures(ofArtefact: 2, of: "Tern").downloads == 0)

    let shown = Run(["releases", "show", "3.4.1", "--home", home])
    #expect(shown.output.contains("Downloads (4)"))
    #expect(shown.output.contains(/Everyone +4 +1\n/))
    let json = Run(["releases", "show", "3.4.1", "--json", "--home", home]).json["distribution"]
    #expect(json?["downloads"]?.integer == 4 && json?["installs"]?.integer == 1)
    #expect(json?["groups"]?[0]?["name"]?.string == DistributedApp.open)
    #expect(json?["days"]?[0]?["downloads"]?.integer == 4)
  }
}
