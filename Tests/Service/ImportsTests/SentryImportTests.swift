import CrashModel
import CrashService
import CrashStore
import Identifiers
import Imports
import Query
import ReportDocument
import TestSupport
import Testing

@Suite struct SentryImportTests {
  private static let first = "b10c7808c22249398a2e2473e3db556f"
  private static let second = "c10c7808c22249398a2e2473e3db5570"

  /// An event as an SDK sent it.
  private static func payload(_ id: String, _ function: String = "total") -> String {
    """
    {"event_id": "\(id)", "platform": "python", "timestamp": "2024-05-01T10:00:00Z", "release": "tern@1.2.0+34",
     "contexts": {"app": {"app_name": "Tern"}},
     "exception": {"values": [{"type": "ValueError", "value": "no basket", "stacktrace": {"frames": [
      {"function": "sell", "filename": "shop.py", "lineno": 40, "in_app": true},
      {"function": "\(function)", "filename": "basket.py", "lineno": 12, "in_app": true}]}}]}}
    """
  }

  /// The same event as the API answers it.
  private static func answer(_ id: String, issue: String) -> String {
    """
    {"id": "\(id)", "eventID": "\(id)", "groupID": "\(issue)", "platform": "python",
     "dateCreated": "2024-05-01T10:00:00Z", "release": {"version": "tern@1.2.0+34"},
     "contexts": {"app": {"app_name": "Tern"}}, "tags": [{"key": "level", "value": "error"}],
     "entries": [{"type": "exception", "data": {"values": [{"type": "ValueError", "value": "no basket",
      "stacktrace": {"frames": [
       {"function": "sell", "filename": "shop.py", "lineNo": 40, "inApp": true},
       {"function": "total", "filename": "basket.py", "lineNo": 12, "inApp": true}]}}]}}]}
    """
  }

  private static func issue(_ id: String, _ status: String) -> String {
    """
    {"id": "\(id)", "shortId": "TERN-1A", "status": "\(status)", "statusDetails": {}, "count": "12",
     "userCount": 3, "firstSeen": "2024-05-01T10:00:00Z", "lastSeen": "2024-05-02T10:00:00Z",
     "activity": [{"type": "note", "data": {"text": "see ticket 7"}}]}
    """
  }

  private func run(_ home: borrowing ImportHome, app: String? = nil) throws -> ImportResult {
    try SentryImport(home.context(), app: app).run([home.path])
  }

  @Test func `an event of the API is the payload that it was made of`() throws {
    let home = try ImportHome()
    home.write("[\(Self.answer(Self.first, issue: "77"))]", to: "events.json")
    home.write("[\(Self.issue("77", "resolved"))]", to: "issues.json")
    let result = try run(home)
    #expect(result.left == [])
    #expect(result.reports == 1)
    let groups = try home.groups()
    let group = try #require(groups.values.first)
    #expect(group.state == "resolved")
    #expect(
      try home.notes(ofGroup: group.id) == [
        "Sentry's issue TERN-1A was closed; events 12; users 3; "
          + "from 2024-05-01T10:00:00Z to 2024-05-02T10:00:00Z\nsee ticket 7"
      ])
    let summary = try #require(try home.store.reports.list(ReportQuery()).items.first)
    #expect(summary.app == "Tern")
    #expect(summary.received.description == "2024-05-01T10:00:00Z")
    let report = try home.service.report(summary.id, sourceLines: nil).report
    #expect(report.incident == Self.first)
    #expect(report.app.version == "1.2.0")
    #expect(report.app.build == "34")
    #expect(report.reason.exception?.frames.map(\.line) == [12, 40])
  }

  @Test func `the same event counts once, in any form and however often it is imported`() throws {
    let home = try ImportHome()
    home.write(
      Self.payload(Self.first) + "\n" + Self.payload(Self.second, "open"), to: "a/events.ndjson")
    home.write(Self.answer(Self.first, issue: "77"), to: "b/event.json")
    #expect(try run(home).reports == 2)
    let again = try run(home)
    #expect(again.reports == 0)
    #expect(again.known == 2)
    #expect(try home.store.reports.list(ReportQuery()).items.count == 2)
  }

  @Test func `a decision that was made here is not undone`() throws {
    let home = try ImportHome()
    home.write(Self.payload(Self.first), to: "77/events/1.json")
    home.write(Self.issue("77", "ignored"), to: "issues/77.json")
    #expect(try run(home).decisions == 1)
    let group = try #require(try home.groups().values.first)
    #expect(group.state == "ignored")
    try home.store.triage.reopen([group.id], by: "bob")
    #expect(try run(home).decisions == 0)
    #expect(try home.groups().values.first?.state == "open")
    #expect(try home.notes(ofGroup: group.id).count == 1)
  }

  @Test func `releases and files of an event are taken, and the rest is named`() throws {
    let home = try ImportHome()
    home.write(Self.payload(Self.first), to: "events/\(Self.first).json")
    home.write("hello", to: "events/\(Self.first)/attachments/log.txt")
    home.write(
      #"[{"version": "tern@1.3.0+35", "dateCreated": "2024-05-01T10:00:00Z"}]"#,
      to: "releases.json")
    home.write(Self.issue("99", "unresolved"), to: "other.json")
    home.write("just words", to: "notes.txt")
    home.write(#"[{"hello": 1}]"#, to: "odd.json")
    home.write(#"{"id": "5", "entries": [], "eventID": "5"}"#, to: "empty.json")
    let result = try run(home, app: "Tern")
    #expect(result.attachments == 1)
    #expect(result.releases == 1)
    let left = Dictionary(
      uniqueKeysWithValues: result.left.map {
        (String($0.path.dropFirst(home.path.count + 1)), $0.reason)
      })
    #expect(left["notes.txt"] == "no report of a known format")
    #expect(left["odd.json"]?.hasPrefix("JSON that is neither an event nor an issue") == true)
    #expect(left["empty.json"] == "the event 5 has neither an exception nor threads")
    #expect(left["other.json"] == "the issue TERN-1A: none of its events is here")
    #expect(left.count == 4)
  }

  @Test func `every prefix of an export is taken or refused`() throws {
    let text = "[" + Self.answer(Self.first, issue: "77") + "," + Self.issue("77", "resolved") + "]"
    var random = SplitMix(seed: TestSize.seed)
    for _ in 0..<12 {
      let home = try ImportHome()
      home.write(String(text.prefix(1 + random.below(text.count))), to: "events.json")
      _ = try run(home)
    }
  }
}
