import Bytes
import CrashStore
import Identifiers
import JSON
import TestSupport
import Testing
import Updates

@testable import ProgramSupport

/// The SDKs' checks for updates in every situation of a table, by clients that follow only the SDKs' own
/// rules, against the built program.
@Suite("Checks for updates")
struct UpdateSituationTests {
  /// A server with an app for each situation.
  private final class World {
    let server: RunningServer
    let apps: [String: DistributedApp]

    init(_ folder: ScratchFolder) throws {
      let home = folder.path("home")
      let store = try CrashStore(opening: home)
      var apps: [String: DistributedApp] = [:]
      for (index, situation) in UpdateSituation.all.enumerated() {
        let app = try DistributedApp("Tern \(index)", number: index, in: store)
        try situation.releases(app)
        apps[situation.name] = app
      }
      self.apps = apps
      server = try #require(RunningServer(home: home))
    }
  }

  @Test("Each has the result that the SDK's rules define")
  func situations() throws {
    let folder = ScratchFolder()
    let world = try World(folder)
    #expect(UpdateSituation.all.count >= 60)
    #expect(world.apps.count == UpdateSituation.all.count, "two situations have one name")
    for situation in UpdateSituation.all {
      let app = try #require(world.apps[situation.name])
      let event = situation.check(app) { method, path, headers in
        world.server.ask(method, path, token: "", headers: headers)
      }
      #expect(event == situation.expected, "\(situation.name)")
    }
  }

  @Test("An explanation of the check says what the SDK does")
  func explanations() throws {
    let folder = ScratchFolder()
    let world = try World(folder)
    var results: Set<String> = []
    for situation in UpdateSituation.all {
      guard let device = situation.device else { continue }
      let app = try #require(world.apps[situation.name])
      let query = [
        ("app", app.name), ("platform", device.platform.rawValue), ("version", device.release.name),
        ("hash", device.hash), ("system", device.system),
      ].map { "\($0.0)=\(UpdateAddress.encoded($0.1))" }.joined(separator: "&")
      let answer = try #require(
        world.server.ask("GET", "/api/v1/releases/explain?" + query))
      #expect(answer.status == 200, "\(situation.name): \(answer.text)")
      let explanation = try JSONDocument.parse(ByteView(answer.body)).value
      let result = explanation["result"]?.string ?? ""
      results.insert(result)
      let offered = explanation["offered"]?.integer
      let comment: Comment = "\(situation.name): \(answer.text)"
      switch situation.expected {
      case .offered(let number, let isMandatory):
        #expect(result == "update", comment)
        #expect(offered == number, comment)
        #expect(explanation["mandatory"]?.bool == isMandatory, comment)
      case .noRelease: #expect(["none", "not-newer"].contains(result), comment)
      case .ignored("the system is older"): #expect(result == "system", comment)
      default: Issue.record("\(situation.name) has no explanation: \(situation.expected)")
      }
      let verdicts = (explanation["files"]?.array ?? []).filter {
        $0["verdict"]?.string == "offered"
      }
      #expect(verdicts.map { $0["number"]?.integer } == (offered.map { [$0] } ?? []), comment)
    }
    #expect(results == ["update", "none", "not-newer", "system"])
  }
}
