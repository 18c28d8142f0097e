import Bytes
import CrashModel
import CrashService
import CrashStore
import Identifiers
import Imports
import Query
import ReportDocument
import TestSupport
import Testing
import Updates

@Suite struct AppCenterImportTests {
  private static let group = "3132303808u"
  private static let first = "2518291138564839999-5b1e6c1c-3c51-4e0b-9f4e-2e3c7e0b7a10"
  private static let second = "2518291138564830000-6b1e6c1c-3c51-4e0b-9f4e-2e3c7e0b7a11"
  private static let thrown = "java.lang.IllegalStateException | com.example.Basket.total"

  private static let stack = """
    {"title": "java.lang.IllegalStateException", "exception": {"type": "java.lang.IllegalStateException",
     "reason": "no basket", "platform": "android", "relevant": true, "frames": [
      {"class_name": "com.example.Basket", "method": "total", "file": "Basket.java", "line": 12,
       "app_code": true, "code_raw": "com.example.Basket.total(Basket.java:12)", "language": "Java"},
      {"class_name": "com.example.Shop", "method": "sell", "file": "Shop.java", "line": 40, "app_code": true,
       "code_raw": "com.example.Shop.sell(Shop.java:40)", "language": "Java"}]},
     "threads": [{"title": "worker", "crashed": false, "platform": "android", "relevant": false, "frames": [
      {"class_name": "java.lang.Object", "method": "wait", "app_code": false, "code_raw": "wait"}]}]}
    """

  private static func document(group state: String, annotation: String? = nil) -> String {
    """
    {"nextLink": null, "errorGroups": [{"state": "\(state)", "errorGroupId": "\(group)",
     "appVersion": "1.2.0", "appBuild": "34", "count": 12, "deviceCount": 5,
     "firstOccurrence": "2024-03-01T09:00:00Z", "lastOccurrence": "2024-03-02T10:00:00Z",
     \(annotation.map { "\"annotation\": \"\($0)\"," } ?? "")
     "exceptionType": "java.lang.IllegalStateException", "exceptionMessage": "no basket"}]}
    """
  }

  private static func document(errors ids: [String]) -> String {
    let errors = ids.map {
      """
      {"errorId": "\($0)", "timestamp": "2024-03-01T10:00:00.123Z", "deviceName": "Pixel 7",
       "osVersion": "14", "osType": "Android", "language": "de", "userId": "ann", "hasAttachments": true}
      """
    }
    return "{\"errors\": [\(errors.joined(separator: ","))]}"
  }

  private func run(_ home: borrowing ImportHome) throws -> ImportResult {
    try AppCenterImport(home.context(), app: "Tern").run([home.path])
  }

  @Test func `an error without its log is stored by the names that App Center gave`() throws {
    let home = try ImportHome()
    home.write(
      Self.document(group: "closed", annotation: "fixed in 1.3 by <b>bob</b>"),
      to: "errorGroups.json")
    home.write(Self.document(errors: [Self.first]), to: "errorGroups/\(Self.group)/errors.json")
    home.write(
      Self.stack, to: "errorGroups/\(Self.group)/errors/\(Self.first)/stacktrace.json")
    let result = try run(home)
    #expect(result.left == [])
    #expect(result.reports == 1)
    #expect(result.decisions == 1)
    let group = try #require(try home.groups()[Self.thrown])
    #expect(group.state == "resolved")
    let report = try #require(try home.store.reports.list(ReportQuery()).items.first)
    #expect(report.version == "1.2.0")
    let stored = try home.service.report(report.id, sourceLines: nil).report
    #expect(stored.incident == "5b1e6c1c-3c51-4e0b-9f4e-2e3c7e0b7a10")
    #expect(stored.time?.description == "2024-03-01T10:00:00.123Z")
    #expect(stored.device.model == "Pixel 7")
    #expect(stored.user == "ann")
    #expect(stored.reason.exception?.frames.map(\.line) == [12, 40])
    #expect(stored.threads.map(\.name) == ["worker"])
    let notes = try home.notes(ofGroup: group.id)
    #expect(notes.count == 1)
    #expect(notes[0].hasPrefix("App Center's group 3132303808u was closed; version 1.2.0 (34)"))
    #expect(notes[0].hasSuffix("\nfixed in 1.3 by <b>bob</b>"))
  }

  @Test func `an import that is repeated adds nothing and undoes no decision`() throws {
    let home = try ImportHome()
    home.write(Self.document(group: "ignored", annotation: "noise"), to: "groups.json")
    home.write(Self.document(errors: [Self.first]), to: "\(Self.group)/errors.json")
    home.write(Self.stack, to: "\(Self.group)/\(Self.first).json")
    home.write(#"[{"id": 1, "version": "34", "short_version": "1.2.0"}]"#, to: "releases.json")
    home.write(
      #"[{"email": "Ann@example.org"}]"#, to: "distribution_groups/Beta%20testers/members.json")
    home.write("hello", to: "\(Self.group)/\(Self.first)/attachments/console.txt")
    let first = try run(home)
    #expect(first.reports == 1)
    #expect(first.releases == 1)
    #expect(first.testers == 1)
    #expect(first.distributionGroups == 1)
    #expect(first.attachments == 1)
    let group = try #require(try home.groups()[Self.thrown])
    #expect(group.state == "ignored")
    try home.store.triage.reopen([group.id], by: "bob")
    let again = try run(home)
    #expect(again.reports == 0)
    #expect(again.known == 1)
    #expect(again.decisions + again.releases + again.testers + again.attachments == 0)
    #expect(try home.groups()[Self.thrown]?.state == "open")
    #expect(try home.groups()[Self.thrown]?.reports == 1)
    #expect(try home.notes(ofGroup: group.id).count == 1)
    #expect(try home.store.distribution.testers(of: "Tern").map(\.email) == ["ann@example.org"])
  }

  @Test func `a group stays open if one of its groups was open`() throws {
    let home = try ImportHome()
    home.write(Self.document(group: "closed"), to: "a.json")
    home.write(
      Self.document(group: "open").replacing(Self.group, with: "77u"), to: "b.json")
    home.write(Self.document(errors: [Self.first]), to: "\(Self.group)/errors.json")
    home.write(Self.stack, to: "\(Self.group)/\(Self.first).json")
    home.write(Self.document(errors: [Self.second]), to: "77u/errors.json")
    home.write(Self.stack, to: "77u/\(Self.second).json")
    #expect(try run(home).decisions == 2)
    let group = try #require(try home.groups()[Self.thrown])
    #expect(group.state == "open")
    #expect(group.reports == 2)
    #expect(try home.notes(ofGroup: group.id).count == 2)
  }

  @Test func `the log of an error is stored in place of its names`() throws {
    let home = try ImportHome()
    home.write(Self.document(group: "closed"), to: "groups.json")
    home.write(Self.document(errors: [Self.first]), to: "\(Self.group)/errors.json")
    home.write(Self.stack, to: "\(Self.group)/\(Self.first).json")
    home.write(
      """
      {"logs": [{"type": "managedError", "id": "5B1E6C1C-3C51-4E0B-9F4E-2E3C7E0B7A10",
       "timestamp": "2024-03-01T10:00:00.123Z", "fatal": true, "processName": "tern",
       "exception": {"type": "java.lang.IllegalStateException", "frames": [
        {"className": "com.example.Basket", "methodName": "total", "lineNumber": 12}]},
       "device": {"appVersion": "1.2.0", "appBuild": "34", "osName": "Android"}}]}
      """, to: "blobs/2024/03/01/logs.json")
    let result = try run(home)
    #expect(result.reports == 1)
    #expect(result.known == 0)
    let report = try #require(try home.store.reports.list(ReportQuery()).items.first)
    #expect(try home.service.report(report.id, sourceLines: nil).report.process.name == "tern")
    // An old crash is as old as it is.
    #expect(report.received.description.hasPrefix("2024-03-01"))
    #expect(try home.groups()[Self.thrown]?.state == "resolved")
  }

  @Test func `a group of which no error was saved is one report`() throws {
    let home = try ImportHome()
    home.write(
      """
      [{"state": "ignored", "errorGroupId": "1001u", "appVersion": "1.2.0", "count": 3, "deviceCount": 2,
        "firstOccurrence": "2024-03-01T09:00:00Z", "lastOccurrence": "2024-03-02T10:00:00Z",
        "exceptionType": "SIGSEGV", "reasonFrames": [{"className": "Tern", "method": "open:",
        "classMethod": false, "file": "Tern.m", "line": 12, "language": "Objective-C"}]},
       {"crash_group_id": "old-1", "display_id": "7", "app_version": "1.1", "build": "9", "status": "closed",
        "count": 1, "impacted_users": 1, "first_occurrence": "2023-03-01T09:00:00Z",
        "last_occurrence": "2023-03-02T10:00:00Z", "crash_reason": "boom", "fatal": false,
        "reason_frame": {"class_name": "com.example.Cart", "method": "clear", "line": 3,
        "language": "Java", "exception_type": "java.lang.Error"}}]
      """, to: "all.json")
    let result = try run(home)
    #expect(result.left == [])
    #expect(result.reports == 2)
    let groups = try home.groups()
    #expect(groups["SIGSEGV | -[Tern open:]"]?.state == "ignored")
    let handled = try #require(groups.first { $0.key.contains("com.example.Cart.clear") })
    #expect(handled.key.hasPrefix("handled"))
    #expect(handled.value.state == "resolved")
  }

  @Test func `every file that is not taken is named with the reason`() throws {
    let home = try ImportHome()
    home.write("just words", to: "notes.txt")
    home.write(#"{"hello": 1}"#, to: "odd.json")
    home.write(#"{"errorCount": 3, "models": [{"modelName": "x"}]}"#, to: "models.json")
    home.write(Self.stack, to: "loose.json")
    home.write(#"[{"email": "bob@example.org"}]"#, to: "testers.json")
    home.write(#"[{"email": "nobody"}]"#, to: "distribution_groups/Beta/members.json")
    home.write(
      #"[{"errorId": "a", "timestamp": "2024-03-01T10:00:00Z"}, {"errorId": "b", "time"#,
      to: "cut.json")
    let result = try run(home)
    let left = Dictionary(
      uniqueKeysWithValues: result.left.map { (String($0.path.dropFirst(home.path.count + 1)), $0) }
    )
    #expect(left["notes.txt"]?.reason == "no report of a known format")
    #expect(left["odd.json"]?.reason.isEmpty == false)
    #expect(left["models.json"]?.reason.hasPrefix("figures (models)") == true)
    #expect(left["loose.json"]?.reason.hasPrefix("a stack, but no known error") == true)
    #expect(left["testers.json"]?.reason.hasPrefix("the tester bob@example.org") == true)
    #expect(
      left["distribution_groups/Beta/members.json"]?.reason
        == "the tester nobody: 'nobody' is not an email address")
    #expect(left["cut.json"]?.reason.hasPrefix("JSON that is cut off") == true)
    #expect(left["cut.json"]?.isDamaged == true)
    #expect(result.isIncomplete)
    // What comes before the cut is whole.
    #expect(result.reports == 1)
  }

  @Test func `every prefix and much damage of an export is taken or refused`() throws {
    let text = Self.document(errors: [Self.first]) + Self.document(group: "closed") + Self.stack
    var random = SplitMix(seed: TestSize.seed)
    for round in 0..<12 {
      let home = try ImportHome()
      var bytes = Array(text.utf8.prefix(Int.random(in: 1...text.utf8.count, using: &random)))
      for _ in 0..<(round % 3) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      home.folder.write("export/\(Self.group)/\(Self.first)/x.json", bytes)
      _ = try run(home)
    }
  }
}
