import Bytes
import CrashStore
import JSON
import TestSupport
import Testing
import Updates

@testable import MaydayCommands
@testable import ProgramSupport

/// A fixed crash leads the app that crashes to the release with the fix.
@Suite("Known fixes over the API", .serialized) struct KnownFixRouteTests {
  private let folder = ScratchFolder()
  private let sample: String

  init() throws {
    let bytes = try ByteView(
      reading: Samples.root + "/Samples/apple-ips/worker-null-1.1.0-ios-arm64.ips", limit: 1 << 20)
    sample = bytes.text
  }

  /// The crash once more, from a release.
  private func crash(_ version: String, _ build: String, number: Int) -> [UInt8] {
    let text = sample.replacing("1.1.0", with: version).replacing("\"117\"", with: "\"\(build)\"")
    return Array((text + String(repeating: "\n", count: number)).utf8)
  }

  @Test("The answer to a report, its status and the figures of the release carry the fix")
  func report() throws {
    let home = folder.path("home")
    let path = folder.write("crash.ips", crash("1.1.0", "117", number: 0))
    #expect(Run(["ingest", path, "--home", home]).status == 0)
    let group = try #require(Run(["groups", "--json", "--home", home]).json[0]?["id"]?.string)
    let store = try CrashStore(opening: home)
    var package = AppPackage(.ipa)
    (package.version, package.build) = ("1.2.0", "130")
    let artefact = try store.distribution.add(
      ByteView("an app".utf8), named: "tern.ipa", package: package, to: "Tern", by: "ci")
    let everyone = try store.distribution.addGroup(
      "Everyone", isPublic: true, to: "Tern", by: "ann")
    #expect(Run(["resolve", group, "--in", "1.2.0", "--home", home]).status == 0)
    let server = try #require(RunningServer(home: home))
    var number = 0
    func answer(
      _ version: String = "1.1.0", _ build: String = "117", query: String = "?wait=5",
      headers: [String] = []
    ) throws -> WebClient.Answer {
      number += 1
      return try #require(
        server.ask(
          "POST", "/api/v1/reports" + query, headers: headers,
          body: crash(version, build, number: number)))
    }
    func known(_ answer: WebClient.Answer) throws -> JSONValue? {
      #expect(answer.status == 202)
      return try JSONDocument.parse(ByteView(answer.body)).value["known"]
    }
    // No user has the release yet.
    #expect(try known(answer()) == nil)
    try store.distribution.publish(
      artefact.number, of: "Tern",
      to: [Artefact.Destination(.group, id: everyone.id, isMandatory: false)], by: "ann")
    #expect(RunningMayday.wait { (try? known(answer())) != nil })
    let fix = try #require(try known(answer()))
    #expect(fix["group"]?.string == group && fix["fixed_in"]?.string == "1.2.0")
    #expect(fix["release"]?.string == "1.2.0 (130)" && fix["mandatory"]?.bool == false)
    let url = try #require(fix["url"]?.string)
    #expect(url.hasPrefix("http://") && url.hasSuffix("/install/apps/Tern"))
    let preferred = try answer(query: "", headers: ["Prefer: respond-async, wait=5"])
    #expect(try known(preferred)?["group"]?.string == group)
    // A client that does not wait is answered at once, and may ask later.
    let plain = try answer(query: "")
    #expect(try known(plain) == nil)
    let id = try #require(try JSONDocument.parse(ByteView(plain.body)).value["id"]?.string)
    #expect(
      RunningMayday.wait {
        server.json("/api/v1/submissions/\(id)")["known"]?["group"]?.string == group
      })
    let shown = Run(["releases", "show", "1.2.0", "--json", "--home", home]).json
    #expect(shown["known_fix_answers"]?.integer ?? 0 >= 4)
    #expect(try answer(query: "?wait=0").status == 400)

    #expect(
      Run(
        ["apps", "set", "Tern", "--known-fix", "off", "--token", server.token, "--server"]
          + ["http://127.0.0.1:\(server.port)"]
      ).status == 0)
    #expect(try known(answer()) == nil)
    #expect(Run(["apps", "set", "Tern", "--known-fix", "require", "--home", home]).status == 0)
    #expect(RunningMayday.wait { (try? known(answer())?["mandatory"]?.bool) == true })
    // The crash is in the release that should fix it: there is no fix any more.
    #expect(try known(answer("1.2.0", "130")) == nil)
    #expect(try known(answer()) == nil)
    #expect(Run(["apps", "set", "Tern", "--known-fix", "maybe", "--home", home]).status == 2)
    HomeCare.expectWhole(home)
  }

  @Test(
    "The configuration of a version that crashed makes the update mandatory, of others it doesn't")
  func configuration() throws {
    let home = folder.path("home")
    let path = folder.write("crash.ips", crash("1.1.0", "117", number: 0))
    #expect(Run(["ingest", path, "--home", home]).status == 0)
    let group = try #require(Run(["groups", "--json", "--home", home]).json[0]?["id"]?.string)
    let document = folder.write(
      "config.json",
      Array(
        """
        {"appUpdate": {"availableVersion": "1.0", "url": "https://example.org", "type": "ignore",
          "localizedStrings": [{"title": "t", "text": "t",
            "options": [{"title": "Update", "isUpdateAction": true}]}]}}
        """.utf8))
    #expect(
      Run([
        "remote-config", "publish", "Tern", document, "--follow-releases", "yes", "--home", home,
      ])
      .status == 0)
    let steps = [
      ["testers", "add-group", "Everyone", "--public"],
      [
        "releases", "add", Samples.root + "/Artefacts/Tern-1.1.0.ipa", "--app", "Tern", "--groups",
        "Everyone",
      ],
      ["resolve", group, "--in", "1.1.0 (1100)"],
      ["apps", "set", "Tern", "--known-fix", "require"],
    ]
    for step in steps { #expect(Run(step + ["--home", home]).status == 0) }
    let server = try #require(RunningServer(home: home))
    func kind(_ version: String) -> String? {
      server.json("/config/Tern/\(version).json")["appUpdate"]?["type"]?.string
    }
    #expect(kind("1.1.0+117") == "mandatory")
    #expect(kind("1.1.0+1100") == "ignore", "it has the fix")
    #expect(kind("1.1.0+116") == "ignore", "no report of it showed the crash")
    #expect(kind("2.0.0+1") == "ignore", "there are no downgrades")
  }
}
