import Bytes
import CrashModel
import Glibc
import HTTP
import HTTPClient
import Identifiers
import JSON
import Synchronization
import TestSupport
import Testing
import TriageModel

@testable import Alerts
@testable import CrashStore

/// A tracker that answers as the real ones do, with the requests that it got.
private final class LocalTracker: Sendable {
  struct Asked: Sendable {
    var line: String
    var headers: Headers
    var body: String
  }

  private let server: Server
  let asked = Mutex<[Asked]>([])
  let answer = Mutex<(status: Status, body: String)>((.ok, "{}"))
  var url: String { "http://127.0.0.1:\(server.port)" }

  init(_ folder: ScratchFolder) throws {
    var configuration = ServerConfiguration(listen: .tcp(address: "127.0.0.1", port: 0))
    configuration.spoolFolder = folder.path
    let box = Box()
    var router = Router()
    router.get("/*rest") { box.respond(to: $0) }
    router.post("/*rest", body: .memory(limit: .kibibytes(64))) { box.respond(to: $0) }
    server = Server(configuration, router: router)
    box.tracker.withLock { $0 = self }
    try server.start()
  }

  deinit { server.stop(within: .seconds(5)) }

  /// The tracker that a route answers for.
  private final class Box: Sendable {
    let tracker = Mutex<LocalTracker?>(nil)

    func respond(to request: Request) -> Response {
      guard let tracker = tracker.withLock({ $0 }) else { return .problem(.notFound) }
      tracker.asked.withLock {
        let query = request.head.query.items.map { "\($0.name)=\($0.value)" }
        $0.append(
          Asked(
            line: "\(request.head.method) \(request.head.path)"
              + (query.isEmpty ? "" : "?" + query.joined(separator: "&")),
            headers: request.head.headers,
            body: request.head.method == "POST" ? request.bytes.text : ""))
      }
      let (status, body) = tracker.answer.withLock { $0 }
      return Response(
        status, headers: ["Content-Type": "application/json"],
        content: .bytes(ByteView(body.utf8)))
    }
  }
}

@Suite("States of tickets, read from trackers")
struct TicketRoundTests {
  private let folder = ScratchFolder()
  private let store: CrashStore
  private static let token = "token-7Qx"

  init() throws {
    store = try CrashStore(opening: folder.path("home"))
    var report = CrashReport(format: .appleIPS, kind: .crash)
    report.app = AppIdentity(name: "Tern", version: "1.0", build: "7")
    report.signature = Signature(text: "text", key: "k1", category: .signal, rules: "v1")
    let submission = Submission(
      bytes: ByteView("a".utf8), source: "a", received: CrashStore.now, app: "Tern")
    _ = try store.reports.add(submission, reports: [(report, ByteView("{}".utf8))])
  }

  private func set(_ kind: TicketTracker.Kind, _ address: String, ticket: String) throws {
    let token = folder.write("token", (Self.token + "\n").utf8)
    try store.apps.setTracker(TicketTracker(kind, address, token: "file:" + token), of: "Tern")
    try store.triage.setTicket(["TERN-1"], to: GroupTicket(url: ticket), by: "ann")
  }

  private func round(after seconds: Int64 = 0) throws {
    try TicketRound(store: store).run(
      now: Timestamp(seconds: CrashStore.now.seconds + seconds)
    ) { false }
  }

  private var state: GroupTicket.State? {
    get throws { try store.groups.get("TERN-1").ticket?.state }
  }

  @Test(
    "Each kind of tracker is asked in its own way, and its answer is understood",
    arguments: [
      (
        .github, "/acme/tern", "/acme/tern/issues/7", "GET /api/v3/repos/acme/tern/issues/7",
        "Authorization", "Bearer token-7Qx", #"{"number":7,"state":"open","state_reason":null}"#,
        #"{"number":7,"state":"closed","state_reason":"completed"}"#
      ),
      (
        .gitlab, "/acme/app/tern", "/acme/app/tern/-/issues/7#note_1",
        "GET /api/v4/projects/acme%2Fapp%2Ftern/issues/7", "PRIVATE-TOKEN", "token-7Qx",
        #"{"iid":7,"state":"opened"}"#, #"{"iid":7,"state":"closed"}"#
      ),
      (
        .jira, "?pid=1", "/browse/TERN-7", "GET /rest/api/2/issue/TERN-7?fields=status",
        "Authorization", "Bearer token-7Qx",
        #"{"key":"TERN-7","fields":{"status":{"name":"To Do","statusCategory":{"key":"new"}}}}"#,
        #"{"key":"TERN-7","fields":{"status":{"name":"Fixed","statusCategory":{"key":"done"}}}}"#
      ),
      (
        .youtrack, "/youtrack/newIssue?project=TERN", "/youtrack/issue/TERN-7/crash-on-zoom",
        "GET /youtrack/api/issues/TERN-7?fields=resolved", "Authorization", "Bearer token-7Qx",
        #"{"resolved":null,"$type":"Issue"}"#, #"{"resolved":1795000000000,"$type":"Issue"}"#
      ),
      (
        .linear, "/acme/team/ENG/new", "/acme/issue/ENG-7/crash-on-zoom", "POST /graphql",
        "Authorization", "token-7Qx", #"{"data":{"issue":{"state":{"type":"started"}}}}"#,
        #"{"data":{"issue":{"state":{"type":"completed"}}}}"#
      ),
    ] as [(TicketTracker.Kind, String, String, String, String, String, String, String)])
  func kinds(
    kind: TicketTracker.Kind, project: String, page: String, line: String, header: String,
    value: String, open: String, closed: String
  ) throws {
    let tracker = try LocalTracker(folder)
    try set(kind, tracker.url + project, ticket: tracker.url + page)
    tracker.answer.withLock { $0.body = open }
    try round()
    #expect(try state == .open)
    let asked = tracker.asked.withLock { $0 }
    #expect(asked.map(\.line) == [line])
    #expect(asked.first?.headers[header] == value)
    if kind == .linear {
      let body = try JSONDocument.parse(ByteView((asked.first?.body ?? "").utf8)).value
      #expect(body["variables"]?["id"]?.string == "ENG-7")
      #expect(body["query"]?.string?.contains("issue(id:$id){state{type}}") == true)
    }
    // It is not asked again at once.
    tracker.answer.withLock { $0.body = closed }
    try round()
    #expect(tracker.asked.withLock { $0.count } == 1)
    try round(after: 400)
    #expect(try state == .closed)
    let last = try #require(try store.groups.history(ofGroup: "TERN-1").last)
    #expect(last.author == "mayday" && last.detail.hasSuffix(", closed"))
    #expect(try store.groups.get("TERN-1").state == .open)
  }

  @Test("The token goes to no other host than the tracker's")
  func otherHost() throws {
    let (tracker, other) = (try LocalTracker(folder), try LocalTracker(folder))
    try set(.github, tracker.url + "/acme/tern", ticket: other.url + "/acme/tern/issues/7")
    try round()
    #expect(other.asked.withLock { $0.isEmpty } && tracker.asked.withLock { $0.isEmpty })
    #expect(try state == .open)
  }

  @Test(
    "An answer without a state changes nothing, and is reported with the ticket",
    arguments: [
      (.unauthorized, #"{"message":"Bad credentials"}"#), (.notFound, "{}"), (.found, "{}"),
      (.ok, "{}"), (.ok, "<html>"), (.ok, #"{"state":"clo"#), (.ok, #"{"state":7}"#),
    ] as [(Status, String)])
  func failures(status: Status, body: String) throws {
    let tracker = try LocalTracker(folder)
    try set(.github, tracker.url + "/acme/tern", ticket: tracker.url + "/acme/tern/issues/7")
    tracker.answer.withLock { $0 = (status, body) }
    var problem = ""
    do { try round() } catch { problem = "\(error)" }
    #expect(problem.contains("/acme/tern/issues/7 of TERN-1: "), "\(problem)")
    #expect(!problem.contains(Self.token))
    #expect(try state == .open)
    // The next try waits as long as after an answer.
    try round()
    #expect(tracker.asked.withLock { $0.count } == 1)
  }

  @Test("A token that is missing is named by its place")
  func missingToken() throws {
    let tracker = try LocalTracker(folder)
    try set(.github, tracker.url + "/acme/tern", ticket: tracker.url + "/acme/tern/issues/7")
    unlink(folder.path("token"))
    var problem = ""
    do { try round() } catch { problem = "\(error)" }
    #expect(problem.contains(folder.path("token")), "\(problem)")
    #expect(tracker.asked.withLock { $0.isEmpty })
  }

  @Test(
    "Addresses of other pages are not asked for",
    arguments: [
      (.github, "/acme/tern/pull/7"), (.github, "/acme/tern/issues/"),
      (.github, "/acme/tern/issues/7a"), (.github, "/../x/issues/7"), (.jira, "/browse/A%22B"),
      (.linear, "/acme/issue/"), (.other, "/issues/7"),
    ] as [(TicketTracker.Kind, String)])
  func otherPages(kind: TicketTracker.Kind, path: String) {
    #expect(TicketQuestion(kind, "https://example.org" + path, token: "t") == nil)
  }

  @Test("Clouds have their API elsewhere, and Jira's takes a mail address with the token")
  func clouds() throws {
    let github = try #require(
      TicketQuestion(.github, "https://github.com/acme/tern/issues/7", token: "t"))
    #expect(github.request.url == "https://api.github.com/repos/acme/tern/issues/7")
    let linear = try #require(
      TicketQuestion(.linear, "https://linear.app/acme/issue/ENG-7", token: "t"))
    #expect(linear.request.url == "https://api.linear.app/graphql")
    let jira = try #require(
      TicketQuestion(.jira, "https://acme.atlassian.net/browse/T-7", token: "ann@example.org:t"))
    #expect(jira.request.headers.contains("Authorization: Basic YW5uQGV4YW1wbGUub3JnOnQ="))
  }
}
