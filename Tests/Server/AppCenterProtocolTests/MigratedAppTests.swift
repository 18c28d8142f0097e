import CrashStore
import Identifiers
import TestSupport
import Testing
import TriageModel
import Updates

@testable import ProgramSupport

/// An app whose old builds were distributed elsewhere: all that is known of them is in their reports.
@Suite("Known fixes of builds that were never uploaded", .serialized)
struct MigratedAppTests {
  private let folder = ScratchFolder()
  private let store: CrashStore
  private let app: DistributedApp
  private let server: RunningServer

  init() throws {
    let home = folder.path("home")
    store = try CrashStore(opening: home)
    app = try DistributedApp("Tern", number: 1, in: store)
    try store.distribution.set(AppUpdates.knownFixSetting, to: "require", of: "Tern", by: "test")
    server = try #require(RunningServer(home: home))
  }

  private func send(_ log: String) {
    let answer = server.ask(
      "POST", "/logs?api-version=1.0.0", token: "", headers: ["App-Secret: " + app.secret],
      body: Array(#"{"logs":[\#(log)]}"#.utf8))
    #expect(answer?.status == 200, "\(answer?.text ?? "")")
    #expect(server.waitForQueue())
  }

  /// A crash as the SDK of iOS sends it, from one slice of a build.
  private func appleCrash(_ version: String, _ build: String, uuid: String, number: Int) -> String {
    """
    {"type":"appleError","timestamp":"2026-03-02T10:11:12.999Z",
    "id":"a3c1f0d2-5b7e-4e19-8c3a-6f2d1b9e0a1\(number)","processId":731,"processName":"Tern",
    "errorThreadId":0,"fatal":true,"primaryArchitectureId":16777228,"architectureVariantId":0,
    "osExceptionType":"SIGSEGV","osExceptionCode":"#0","osExceptionAddress":"0x10",
    "threads":[{"id":0,"frames":[{"address":"0x0000000104a3c1f0","code":"0x104a34000 + 33264"},
    {"address":"0x00000001b2f00a10","code":"0x1b2f00000 + 2576"}]}],
    "binaries":[{"id":"\(uuid.replacing("-", with: ""))","startAddress":"0x0000000104a34000",
    "endAddress":"0x0000000104a53fff","name":"Tern",
    "path":"/private/var/containers/Bundle/Application/1F/Tern.app/Tern",
    "primaryArchitectureId":16777228,"architectureVariantId":0}],
    "device":{"sdkName":"appcenter.ios","osName":"iOS","osVersion":"17.2","model":"iPhone15,2",
    "appVersion":"\(version)","appBuild":"\(build)","appNamespace":"com.example.tern"}}
    """
  }

  /// Repeats a check: the server reloads what it offers within a second.
  private func eventually(_ expected: UpdateEvent, _ check: () -> UpdateEvent) {
    var last = expected
    let isSo = RunningMayday.wait {
      last = check()
      return last == expected
    }
    #expect(isSo, "\(last) instead of \(expected)")
  }

  private func check(_ client: AppleUpdateClient) -> UpdateEvent {
    client.restart()
    return client.check(at: 0) { server.ask($0, $1, token: "", headers: $2) }
  }

  private func check(_ client: AndroidUpdateClient) -> UpdateEvent {
    client.check(at: 0) { server.ask($0, $1, token: "", headers: $2) }
  }

  private let mandatory = UpdateEvent.offered(1, isMandatory: true)
  private let optional = UpdateEvent.offered(1, isMandatory: false)

  @Test("On iOS the crashing build has to install the fix, in each slice that reported a crash")
  func apple() throws {
    send(appleCrash("0.9.0", "900", uuid: DistributedApp.uuid, number: 1))
    let group = try #require(try store.groups.list().first?.id)
    try store.triage.resolve([group], .inRelease(Release(version: "1.0.0")), by: "ann")
    try app.ipa("1.0.0", "1000")
    let crashing = app.apple("0.9.0", "900")
    eventually(mandatory) { check(crashing) }
    #expect(check(app.apple("0.9.1", "901")) == optional, "no report of it showed the crash")
    let other = app.apple("0.9.0", "900", uuid: DistributedApp.otherUUID)
    #expect(check(other) == optional, "no report named the slice")
    send(appleCrash("0.9.0", "900", uuid: DistributedApp.otherUUID, number: 2))
    eventually(mandatory) { check(other) }
    #expect(check(crashing) == mandatory)
    // A crash in the release with the fix takes the promise back.
    send(appleCrash("1.0.0", "1000", uuid: DistributedApp.uuid, number: 3))
    eventually(optional) { check(crashing) }
    HomeCare.expectWhole(folder.path("home"))
  }

  @Test("On Android the crashing build has to install the fix")
  func android() throws {
    send(
      """
      {"type":"managedError","id":"c3c1f0d2-5b7e-4e19-8c3a-6f2d1b9e0a11",
      "timestamp":"2026-03-02T10:12:00Z","processId":1,"processName":"com.example.tern",
      "fatal":true,"device":{"sdkName":"appcenter.android","osName":"Android","osVersion":"13",
      "appVersion":"0.9.0","appBuild":"900","appNamespace":"com.example.tern"},
      "exception":{"type":"java.lang.Error","message":"m","frames":[{"className":"org.tern.Nest",
      "methodName":"open","fileName":"Nest.java","lineNumber":7}]}}
      """)
    let group = try #require(try store.groups.list().first?.id)
    try store.triage.resolve([group], .inRelease(Release(version: "1.0.0")), by: "ann")
    try app.apk("1.0.0", "1000")
    eventually(mandatory) { check(app.android("0.9.0", 900)) }
    #expect(check(app.android("0.9.0", 901)) == optional, "no report of it showed the crash")
    try store.distribution.set(AppUpdates.knownFixSetting, to: "suggest", of: "Tern", by: "test")
    eventually(optional) { check(app.android("0.9.0", 900)) }
  }
}
