import CrashStore
import TestSupport
import Testing

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
}
