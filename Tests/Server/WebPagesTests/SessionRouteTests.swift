import Bytes
import Glibc
import Identifiers
import JSON
import ServerCore
import ServerStore
import TestSupport
import Testing

@testable import CrashStore
@testable import MaydayCommands
@testable import ProgramSupport

/// Sessions that any client reports, and the rates shown for them everywhere.
@Suite("Reported sessions", .serialized) struct SessionRouteTests {
  private let folder = ScratchFolder()

  /// A time in the recent past, as text, and its day.
  private static let now = CrashStore.now
  private static func time(_ seconds: Int64 = 0) -> String {
    Timestamp(seconds: now.seconds - 3_600 + seconds).description
  }

  private func post(
    _ server: RunningServer, _ body: String, _ query: String = "?app=Tern", key: String? = nil
  ) throws -> WebClient.Answer {
    try #require(
      server.ask(
        "POST", "/api/v1/sessions" + query, token: key == nil ? nil : "",
        headers: key.map { ["X-App-Key: \($0)"] } ?? [], body: Array(body.utf8)))
  }

  private static func session(_ number: Int, _ more: String = "") -> String {
    """
    {"id":"s\(number)","install":"i\(number)","version":"1.2.0","build":"130",
    "started":"\(time())"\(more)}
    """
  }

  /// App Center's log of a session, and of a crash in it.
  private static func appCenter(_ number: Int, crash: Bool) -> String {
    let sid = "b3c1f0d2-5b7e-4e19-8c3a-6f2d1b9e0a\(number)"
    let device =
      #""device":{"osName":"Android","appVersion":"1.2.0","appBuild":"130","appNamespace":"org.tern"}"#
    let begin =
      #"{"type":"startSession","sid":"\#(sid)","timestamp":"\#(time())",\#(device)}"#
    guard crash else { return begin }
    return begin + ","
      + #"{"type":"managedError","id":"\#(sid.replacing("b3c1", with: "a3c1"))","sid":"\#(sid)","#
      + #""timestamp":"\#(time(5))","exception":{"type":"java.lang.Error","frames":[{"#
      + #""className":"org.tern.Charts","methodName":"load","lineNumber":3}]},\#(device)}"#
  }

  private static let boundary = "---MultipartBoundary-VoRKiTAUSHEyqSzqZqoPNvnKqsN3ZKOu---"

  /// A minidump in a form, as Crashpad sends it.
  private static func form(_ fields: [(String, String)]) -> [UInt8] {
    var dump = MinidumpBuilder()
    dump.system()
    let context = dump.context(rip: 0x40_1500, rsp: 0x7000, rbp: 0)
    dump.list(3, [dump.thread(id: 1, stack: (0x7000, [1]), context: context)])
    dump.exception(thread: 1, code: 11, flags: 1, address: 0x18, context: context)
    var bytes: [UInt8] = []
    for (name, value) in fields {
      bytes += Array(
        "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8
      )
    }
    bytes += Array(
      ("--\(boundary)\r\nContent-Disposition: form-data; name=\"upload_file_minidump\"; "
        + "filename=\"a.dmp\"\r\nContent-Type: application/octet-stream\r\n\r\n").utf8)
    return bytes + dump.bytes(time: UInt32(now.seconds - 3_590))
      + Array("\r\n--\(boundary)--\r\n".utf8)
  }

  @Test("Sessions and crashes of four clients make one rate, the same everywhere")
  func mixed() throws {
    let home = folder.path("home")
    let secret = "5b1e6c1c-3c51-4f7e-9d3a-0a4d1f6b2c11"
    #expect(Run(["apps", "add", "Tern", "--secret", secret, "--home", home]).status == 0)
    let server = try #require(RunningServer(home: home))
    let apps = Run(["apps", "list", "--json", "--home", home]).json
    let key = try #require(apps[0]?["intake_key"]?.string)
    // Six sessions of the API, the fifth of which says that it crashed; four of App Center, one with a crash.
    let list = (1...6).map { Self.session($0, $0 == 5 ? #","status":"crashed""# : "") }
    let stored = try post(server, "{\"sessions\":[\(list.joined(separator: ","))]}", "", key: key)
    #expect(stored.status == 200 && stored.text.contains(#""new":6"#), "\(stored.text)")
    let logs = (11...14).map { Self.appCenter($0, crash: $0 == 12) }.joined(separator: ",")
    let sent = server.ask(
      "POST", "/logs?api-version=1.0.0", token: "",
      headers: [
        "App-Secret: \(secret)", "Install-ID: 0c1e6c1c-3c51-4f7e-9d3a-0a4d1f6b2c11",
        "Content-Type: application/json",
      ], body: Array("{\"logs\":[\(logs)]}".utf8))
    #expect(sent?.status == 200, "\(sent?.text ?? "")")
    // A minidump that names its session, and an .ips of the same release by a device without sessions.
    let dump = server.ask(
      "POST", "/minidump?key=\(key)", token: "",
      headers: ["Content-Type: multipart/form-data; boundary=\(Self.boundary)"],
      body: Self.form([("prod", "Tern"), ("ver", "1.2.0"), ("session_id", "s1"), ("guid", "i1")]))
    #expect(dump?.status == 200, "\(dump?.text ?? "")")
    let ips = try ByteView(mapping: Samples.path("apple-ips/null-read-1.1.0-ios-arm64.ips")).text
    let time = String(Self.time(60).prefix(19)).replacing("T", with: " ") + ".00 +0000"
    let changed = ips.replacing("1.1.0", with: "1.2.0").replacing("\"117\"", with: "\"130\"")
      .replacing(/"(timestamp|captureTime)" ?: ?"[^"]*"/) { "\"\($0.output.1)\":\"\(time)\"" }
    let apple = server.ask("POST", "/api/v1/reports", body: Array(changed.utf8))
    #expect(apple?.status == 202)
    #expect(server.waitForQueue())

    // 10 sessions; s1 by the minidump, s5 by its status, one of App Center, and the .ips without a session.
    let day = String(Self.time().prefix(10))
    let asked = Run(["stats", "--crash-free", "--from", day, "--json", "--home", home]).json
    let figures = try #require(asked.array?.first { $0["app"]?.string == "Tern" })
    #expect(figures["sessions"]?["all"]?.integer == 10, "\(figures)")
    #expect(figures["sessions"]?["crashed"]?.integer == 4)
    #expect(figures["sessions"]?["crash_free"]?.double == 0.6)
    #expect(figures["crashes"]?.integer == 3)
    // i1 to i6, App Center's installation, and the device of the .ips; i1, i5 and the latter two crashed.
    #expect(figures["users"]?["all"]?.integer == 8 && figures["users"]?["crashed"]?.integer == 4)
    #expect(figures["users"]?["crash_free"]?.double == 0.5)
    let release = Run(["releases", "show", "1.2.0", "--json", "--home", home]).json
    #expect(release["crash_free"]?["sessions"]?["crash_free"]?.double == 0.6)
    let shown = Run(["releases", "show", "1.2.0", "--home", home])
    #expect(shown.output.contains("60.00 % crash-free: 4 of 10 crashed"), "\(shown.output)")
    let route = try #require(server.ask("GET", "/api/v1/sessions?app=Tern&version=1.2.0")).text
    #expect(route.contains(#""all":10,"crashed":4,"crash_free":0.6"#), "\(route)")
    let trend = try #require(server.ask("GET", "/api/v1/sessions/trend?app=Tern&from=\(day)")).text
    #expect(trend.contains(#""all":10,"crashed":4,"crash_free":0.6"#), "\(trend)")
    #expect(Run(["doctor", "--home", home]).status == 0)
  }

  @Test("More crashes than sessions make no rate, and commands and API say why")
  func reason() throws {
    let home = folder.path("home")
    #expect(Run(["ingest", Samples.root + "/Samples/apple-ips", "--home", home]).status == 0)
    let none = Run(["releases", "show", "1.1.0", "--home", home]).output
    #expect(none.contains("no rate: no sessions were reported"), "\(none)")
    let server = try #require(RunningServer(home: home))
    let started = #""started":1772323200"#
    let body = (1...2).map { #"{"id":"\#($0)","version":"1.1.0","build":"117",\#(started)}"# }
    #expect(try post(server, "[\(body.joined(separator: ","))]").status == 200)
    let shown = Run(["stats", "--crash-free", "--app", "Tern", "--home", home]).output
    #expect(shown.contains("no rate of crash-free sessions: more sessions crashed"), "\(shown)")
    #expect(shown.contains("no rate of crash-free users: no session names its user"))
    let text = try #require(server.ask("GET", "/api/v1/sessions?app=Tern")).text
    #expect(text.contains(#""reason":"more sessions crashed"#) && !text.contains("crash_free"))
  }

  @Test(
    "A release whose reports are older than its sessions says so in the terminal and on its page")
  func older() throws {
    let home = folder.path("home")
    #expect(Run(["ingest", Samples.root + "/Samples/apple-ips", "--home", home]).status == 0)
    let words = "after all of its reports"
    #expect(!Run(["releases", "show", "1.1.0", "--home", home]).output.contains(words))
    let server = try #require(RunningServer(home: home))
    let session = #"[{"id":"s","version":"1.1.0","build":"117","started":"\#(Self.time())"}]"#
    #expect(try post(server, session).status == 200)
    let shown = Run(["releases", "show", "1.1.0", "--home", home]).output
    #expect(shown.contains("100.00 % crash-free") && shown.contains(words), "\(shown)")
    #expect(server.stop() == 0)
    let visit = try PageVisit(home: home)
    try visit.signIn("ann", .admin)
    let page = visit.get("/releases/Tern/" + "1.1.0 (117)".inAddress).text
    #expect(page.contains("after all reports of this release"), "\(page)")
  }

  @Test("Stored sessions survive a backup and an export, and an invalid body stores nothing")
  func kept() throws {
    let home = folder.path("home")
    let server = try #require(RunningServer(home: home))
    let count =
      #"{"id":"c","version":"1.2.0","started":"\#(Self.time())","sessions":90,"crashed":9}"#
    let good = "{\"sessions\":[\(Self.session(1))],\"counts\":[\(count)]}"
    #expect(try post(server, good).text.contains(#""new":2"#))
    #expect(try post(server, good).text.contains(#""known":2"#))
    for (body, words) in [
      ("", "JSON"), ("[1]", "[0] is not an object"), ("{}", "id is missing"),
      ("[\(Self.session(2)),{\"id\":\"x\"}]", "[1].version is missing"),
      (Self.session(3, #","status":"fine""#), "status must be one of"),
      (Self.session(3, #","duration":-1"#), "duration is a number"),
      (Self.session(3, #","more":1"#), "no member 'more'"),
      (Self.session(3, #","id":"x""#), "appears twice"),
      (
        good.replacing("\"crashed\":9}", with: "\"crashed\":91}"),
        "crashed is greater than sessions"
      ),
      (
        good.replacing("\"c\"", with: "\"\(String(repeating: "x", count: 201))\""), "200 characters"
      ),
      (
        "[" + Array(repeating: Self.session(4), count: 1_001).joined(separator: ",") + "]",
        "at most 1000"
      ),
    ] {
      let answer = try post(server, body)
      #expect(answer.status == 400 || body.isEmpty, "\(body.prefix(80)): \(answer.text)")
      #expect(answer.text.contains(words) || body.isEmpty, "\(words): \(answer.text)")
    }
    #expect(try post(server, good, "").status == 400)
    #expect(try post(server, good, "", key: "wrong").status == 401)
    #expect(server.stop() == 0)
    let asked = ["stats", "--crash-free", "--app", "Tern", "--home"]
    let before = Run(asked + [home]).output
    #expect(before.contains("9 of 91"), "\(before)")
    let backup = folder.path("backup.tar.zst")
    #expect(Run(["backup", backup, "--home", home]).status == 0)
    let restored = folder.path("restored")
    let run = Run(["restore", backup, "--home", restored])
    #expect(run.status == 0, "\(run.errors)")
    #expect(Run(asked + [restored]).output == before)
    #expect(Run(["doctor", "--home", restored]).status == 0)
  }
}
