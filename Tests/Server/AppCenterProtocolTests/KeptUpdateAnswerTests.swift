import Bytes
import CrashStore
import HTTP
import Identifiers
import JSON
import TestSupport
import Testing
import Updates

@testable import ProgramSupport
@testable import ServerCore

/// Answers to checks for updates are kept as long as the home stays as it is, and for equal checks only.
@Suite("Kept answers to checks for updates")
struct KeptUpdateAnswerTests {
  private let folder = ScratchFolder()
  private let store: CrashStore
  private let app: DistributedApp

  init() throws {
    store = try CrashStore(opening: folder.path("home"))
    app = try DistributedApp("Tern", number: 1, in: store)
  }

  /// What a check is answered: its status, and the members that change.
  private struct Seen: Equatable {
    var status: Int?
    var release: Int?
    var isMandatory: Bool?
    var notes: String?
  }

  private func path(_ more: String = "", below prefix: String = "/v0.1") -> String {
    "\(prefix)/public/sdk/apps/\(app.secret)/releases/latest?release_hash=0" + more
  }

  private func value(_ answer: WebClient.Answer?) -> JSONValue {
    answer.flatMap { try? JSONDocument.parse(ByteView($0.body)).value } ?? .null
  }

  private func check(
    _ server: RunningServer, _ path: String, _ headers: [String] = []
  ) -> Seen {
    let answer = server.ask("GET", path, token: "", headers: headers)
    let value = value(answer)
    return Seen(
      status: answer?.status, release: value["id"]?.integer,
      isMandatory: value["mandatory_update"]?.bool, notes: value["release_notes"]?.string)
  }

  @Test("Each change that another process makes to the home changes the answer")
  func changes() throws {
    try app.ipa("1.4.0", "120")
    let server = try #require(RunningServer(home: folder.path("home")))
    let path = path()
    func expect(_ seen: Seen, _ change: String) {
      var last = seen
      let isSo = RunningMayday.wait {
        last = check(server, path)
        return last == seen
      }
      #expect(isSo, "\(change): \(last) instead of \(seen)")
      // From now on it is a kept one.
      for _ in 0..<3 { #expect(check(server, path) == seen, "\(change)") }
    }
    let first = Seen(status: 200, release: 1, isMandatory: false)
    let second = Seen(status: 200, release: 2, isMandatory: false)
    let none = Seen(status: 404)
    expect(first, "at the start")
    try app.enable(1, false)
    expect(none, "disabled")
    try app.enable(1, true)
    expect(first, "enabled again")
    try app.publish(1, to: DistributedApp.open, mandatory: true)
    expect(Seen(status: 200, release: 1, isMandatory: true), "mandatory")
    try app.publish(1, to: DistributedApp.open)
    try store.distribution.edit(1, of: app.name, .init(notes: "Fixes"), by: "test")
    expect(Seen(status: 200, release: 1, isMandatory: false, notes: "Fixes"), "notes")
    try store.distribution.edit(1, of: app.name, .init(notes: ""), by: "test")
    try app.ipa("1.5.0", "121")
    expect(second, "another release")
    try app.rollOut("1.5.0", "121", percent: 0)
    expect(first, "rolled out to nobody")
    try app.rollOut("1.5.0", "121", percent: 100)
    expect(second, "rolled out to all")
    try app.rollOut("1.5.0", "121", percent: 100, pause: "crashes")
    expect(first, "paused")
    try app.rollOut("1.5.0", "121", percent: 100)
    expect(second, "resumed")
    try app.ipa("1.6.0", "122", to: ["Beta"])
    try app.ipa("1.7.0", "123", to: ["Everyone else"])
    expect(Seen(status: 200, release: 4, isMandatory: false), "a second public group")
  }

  @Test("Installations of a release that is rolled out in part keep their own answers")
  func rollouts() throws {
    try app.ipa("1.4.0", "120")
    try app.ipa("1.5.0", "121")
    let server = try #require(RunningServer(home: folder.path("home")))
    let installations = (0..<40).map { number in
      let digits = String(number)
      return "8e14e67c-7c91-40ac-8517-" + String(repeating: "0", count: 12 - digits.count) + digits
    }
    for percent in [50, 80] {
      try app.rollOut("1.5.0", "121", percent: percent)
      let updates = try #require(try store.distribution.catalog().apps[app.name])
      let release = Release(version: "1.5.0", build: "121")
      let expected = installations.map { updates.isRolledOut(release, to: $0) ? 2 : 1 }
      #expect(Set(expected) == [1, 2])
      func seen() -> [Int?] {
        installations.map { check(server, path("&install_id=" + $0)).release }
      }
      var last: [Int?] = []
      let isSo = RunningMayday.wait {
        last = seen()
        return last == expected
      }
      #expect(isSo, "\(percent) %: \(last)")
      #expect(seen() == expected, "\(percent) %")
    }
  }

  @Test("A check that differs in a part that matters has an answer of its own")
  func questions() throws {
    try app.ipa("1.4.0", "120")
    try app.apk("3.4.1", "341")
    try app.ipa("1.5.0", "121", to: ["Beta"])
    let invited = try store.distribution.invite(
      "ada@example.org", to: "Beta", of: app.name, by: "test")
    #expect(!invited.invitation.isEmpty)
    let server = try #require(RunningServer(home: folder.path("home")))
    let group = try app.id(ofGroup: DistributedApp.open)
    let other = try app.id(ofGroup: "Beta")
    let (apple, android) = ("User-Agent: CFNetwork Darwin", "User-Agent: okhttp")
    let grouped = "/v0.1/public/sdk/apps/\(app.secret)/distribution_groups/"
    // Twice, so that each of the second turn could be one that was kept.
    for turn in 1...2 {
      let comment: Comment = "turn \(turn)"
      #expect(check(server, path(), [apple]).release == 1, comment)
      #expect(check(server, path(), [android]).release == 2, comment)
      #expect(check(server, path("&is_install_page=true"), [apple]).release == 2, comment)
      #expect(check(server, grouped + group + "/releases/latest", [apple]).release == 1, comment)
      #expect(check(server, grouped + other + "/releases/latest", [apple]).status == 404, comment)
      for host in ["one.example.com", "two.example.com"] {
        let answer = server.ask("GET", path(), token: "", headers: ["Host: \(host)", apple])
        let address = value(answer)["download_url"]?.string
        #expect(address?.hasPrefix("http://\(host)/downloads/") == true, comment)
      }
      let below = server.ask("GET", path(below: "/crashes/v0.1"), token: "", headers: [apple])
      let address = value(below)["download_url"]?.string
      #expect(address?.contains("/crashes/downloads/") == true, comment)
      // An invented token is refused where the route looks at it, and ignored where it does not.
      let old = "/v0.1/sdk/apps/\(app.secret)/releases/latest"
      #expect(check(server, old, [apple]).release == 1, comment)
      #expect(check(server, old, [apple, "x-api-token: made-up"]).status == 401, comment)
      #expect(check(server, path(), [apple, "x-api-token: made-up"]).release == 1, comment)
      let unknown = path().replacing(app.secret, with: "8e14e67c-7c91-40ac-8517-999999999999")
      #expect(check(server, unknown, [apple]).status == 404, comment)
    }
  }

  @Test("Made-up checks do not fill the memory")
  func bound() throws {
    let answers = UpdateAnswers()
    let answer = UpdateAnswers.Answer(.text("none"), app: "Tern", tester: nil, fix: nil)
    var most = 0
    for number in 0..<60_000 {
      let head = RequestHead("GET", "/latest", headers: ["Host": "host\(number).example.com"])
      answers.keep(answer, to: .init(head, token: nil, now: Timestamp(seconds: 0)))
      most = max(most, answers.count)
    }
    #expect(most < 20_000)
    #expect(answers.count > 0)
    let long = RequestHead(
      "GET", "/latest", headers: ["User-Agent": String(repeating: "a", count: 60_000)])
    let question = UpdateAnswers.Question(long, token: nil, now: Timestamp(seconds: 0))
    answers.keep(answer, to: question)
    #expect(answers.answer(to: question) == nil)
  }

  @Test("An answer to a tester is kept only as long as its addresses would be made again")
  func periods() {
    let head = RequestHead("GET", "/latest")
    func question(_ token: String?, _ seconds: Int64) -> UpdateAnswers.Question {
      .init(head, token: token, now: Timestamp(seconds: seconds))
    }
    #expect(question("token", 7_200) == question("token", 10_799))
    #expect(question("token", 7_200) != question("token", 10_800))
    #expect(question("token", 7_200) != question("other", 7_200))
    #expect(question(nil, 7_200) == question(nil, 10_800))
  }
}
