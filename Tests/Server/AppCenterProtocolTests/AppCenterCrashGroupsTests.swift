import Bytes
import JSON
import TestSupport
import Testing

@testable import ProgramSupport

/// App Center's REST API for crashes as it was before `errors`, the events of a session, and searches, by
/// requests to the built program.
@Suite("App Center's crashes", .serialized)
struct AppCenterCrashGroupsTests {
  private let folder = ScratchFolder()
  private static let secret = "7a4d1c00-0000-4000-8000-00000000a001"
  private static let base = "/v0.1/apps/acme/Tern"
  private static let crash = "b3c1f0d2-5b7e-4e19-8c3a-6f2d1b9e0a12"

  /// Members that the schema of App Center's API requires.
  private static let required: [String: [String]] = [
    "group": [
      "crash_group_id", "new_crash_group_id", "display_id", "app_version", "build", "status",
      "count", "first_occurrence", "last_occurrence", "crash_reason", "fatal", "annotation",
    ],
    "crash": [
      "new_crash_group_id", "crash_id", "new_crash_id", "timestamp", "version", "build", "device",
      "os_version", "user_name",
    ],
    "details": ["locale", "screen_size", "rooted"],
    "attachment": [
      "app_id", "attachment_id", "crash_id", "blob_location", "content_type", "file_name",
      "created_time", "size",
    ],
    "log": ["type", "timestamp", "install_id", "device"],
    "device": [
      "sdk_name", "sdk_version", "os_name", "os_version", "locale", "time_zone_offset",
      "app_version", "app_build",
    ],
  ]

  private func expect(
    _ value: JSONValue?, _ kind: String, _ place: SourceLocation = #_sourceLocation
  ) {
    let keys = Set((value?.object ?? []).map(\.key))
    let missing = (Self.required[kind] ?? []).filter { !keys.contains($0) }
    #expect(missing.isEmpty, "\(kind) lacks \(missing)", sourceLocation: place)
  }

  private func send(_ body: [UInt8], to server: RunningServer) {
    let answer = server.ask(
      "POST", "/logs?api-version=1.0.0", token: "",
      headers: [
        "App-Secret: " + Self.secret, "Install-ID: 5c1b9d0e-7a52-4c0b-8d5e-2b6a9e4c9999",
      ], body: body)
    #expect(answer?.status == 200, "\(answer?.text ?? "")")
  }

  /// A server with two crashes and a handled error; before one crash, its session has two events and a page,
  /// and it has a text attachment.
  private func server() throws -> RunningServer {
    let home = folder.path("home")
    #expect(Run(["apps", "add", "Tern", "--secret", Self.secret, "--home", home]).status == 0)
    let server = try #require(RunningServer(home: home))
    let android = try ByteView(mapping: Samples.path("appcenter/android-cause.json")).array
    send(android, to: server)
    for name in ["apple-exception.json", "dotnet-handled.json"] {
      send(try ByteView(mapping: Samples.path("appcenter/" + name)).array, to: server)
    }
    let log = try JSONDocument.parse(ByteView(android)).value["logs"]?[0]
    let session = try #require(log?["sid"]?.string)
    #expect(log?["id"]?.string?.lowercased() == Self.crash)
    func event(_ type: String, _ id: String, _ name: String, second: Int) -> String {
      """
      {"type":"\(type)","sid":"\(session)","id":"\(id)","name":"\(name)",
      "timestamp":"2026-03-02T10:11:5\(second)Z","properties":{"n":"\(second)"}}
      """
    }
    let logs = [
      event("event", "e1", "tapped", second: 7), event("page", "", "chart", second: 8),
      event("event", "e2", "zoomed", second: 9),
      """
      {"type":"errorAttachment","id":"00000000-0000-4000-8000-000000000001",
      "errorId":"\(Self.crash)","contentType":"text/plain","fileName":"log.txt",
      "data":"aGFyYm91cg=="}
      """,
    ]
    send(Array(#"{"logs":[\#(logs.joined(separator: ","))]}"#.utf8), to: server)
    #expect(server.waitForQueue())
    return server
  }

  private func path(_ rest: String) -> String { Self.base + rest }

  private func androidGroup(_ server: RunningServer) throws -> JSONValue {
    let found = server.json(path("/crash_groups?group_text_search=ChartStore"))["crash_groups"]
    #expect(found?.array?.count == 1)
    return try #require(found?[0])
  }

  @Test("Groups are listed in every order, chosen and changed")
  func groups() throws {
    let server = try server()
    let all = server.json(path("/crash_groups"))
    #expect(all["limited_result_set"]?.bool == false && all["continuation_token"] == nil)
    for group in all["crash_groups"]?.array ?? [] {
      expect(group, "group")
      let id = group["crash_group_id"]?.string ?? ""
      #expect(server.json(path("/crash_groups/" + id)) == group)
    }
    func ids(_ query: String) -> [String] {
      (server.json(path("/crash_groups?" + query))["crash_groups"]?.array ?? [])
        .compactMap { $0["crash_group_id"]?.string }
    }
    #expect(ids("").count == 3)
    for column in ["last_occurrence", "count", "display_id", "impacted_users"] {
      let (down, up) = (
        ids("$orderby=\(column)%20desc"), ids("$orderby=\(column)%20asc")
      )
      #expect(down.count == 3 && up == down.reversed(), "\(column)")
    }
    #expect(ids("$orderby=display_id%20asc") == ["TERN-1", "TERN-2", "TERN-3"])
    #expect(server.ask("GET", path("/crash_groups?$orderby=odd"))?.status == 400)
    #expect(ids("group_type=GroupType1").count == 2 && ids("group_type=GroupType2").count == 1)
    #expect(ids("app_version=1.2.0").count == 3 && ids("app_version=9").isEmpty)
    #expect(ids("last_occurrence_from=2026-03-01&last_occurrence_to=2026-03-03").count == 3)
    #expect(ids("last_occurrence_to=2026-03-01").isEmpty)
    #expect(ids("last_occurrence_from=2026-03-03").isEmpty)

    let group = try androidGroup(server)
    #expect(group["exception"]?.string == "java.lang.RuntimeException")
    #expect(group["count"]?.integer == 1 && group["impacted_users"]?.integer == 1)
    #expect(group["fatal"]?.bool == true && group["annotation"]?.string == "")
    #expect(group["reason_frame"]?["class_name"]?.string == "org.example.tern.ChartStore")
    #expect(group["reason_frame"]?["line"]?.integer == 31)
    let id = group["crash_group_id"]?.string ?? ""
    func change(_ body: String) throws -> JSONValue {
      let answer = try #require(
        server.ask("PATCH", path("/crash_groups/" + id), body: Array(body.utf8)))
      return try JSONDocument.parse(ByteView(answer.body)).value
    }
    // Each field is optional.
    for status in ["closed", "ignored", "open"] {
      #expect(try change(#"{"status":"\#(status)"}"#)["status"]?.string == status)
      #expect(ids("group_status=" + status).contains(id))
    }
    let noted = try change(#"{"annotation":"seen"}"#)
    #expect(noted["annotation"]?.string == "seen" && noted["status"]?.string == "open")
    #expect(try change(#"{"status":"odd"}"#)["message"]?.string?.isEmpty == false)
    let missing = try #require(server.ask("GET", path("/crash_groups/TERN-99")))
    #expect(missing.status == 404)
    #expect(
      try JSONDocument.parse(ByteView(missing.body)).value.object?.map(\.key) == ["message"])
  }

  @Test("Crashes are shown with stacks, text, files and their submission, and removed")
  func crashes() throws {
    let server = try server()
    let group = try androidGroup(server)["crash_group_id"]?.string ?? ""
    let inGroup = path("/crash_groups/\(group)")
    let list = server.json(
      inGroup + "/crashes?date_from=2026-03-01&date_to=2026-03-03&error_type=CrashingErrors")
    let crash = try #require(list.array?.first)
    #expect(list.array?.count == 1)
    expect(crash, "crash")
    expect(crash["details"], "details")
    #expect(crash["device"]?.string == "Pixel 8" && crash["os_type"]?.string == "Android")
    #expect(crash["details"]?["locale"]?.string == "en_US")
    #expect(crash["details"]?["app_start_timestamp"]?.string == "2026-03-02T10:11:59Z")
    for query in ["error_type=HandledErrors", "app_version=9", "date_from=2026-03-03"] {
      #expect(server.json(inGroup + "/crashes?" + query).array == [], "\(query)")
    }
    let id = crash["crash_id"]?.string ?? ""
    #expect(server.json(inGroup + "/crashes/" + id) == crash)
    let whole = server.json(inGroup + "/crashes/\(id)?include_stacktrace=true")
    let stack = server.json(inGroup + "/crashes/\(id)/stacktrace")
    #expect(whole["stacktrace"] == stack && stack["threads"]?.array?.isEmpty == false)
    #expect(server.json(inGroup + "/stacktrace") == stack)
    let relevant = server.json(inGroup + "/stacktrace?grouping_only=true")
    #expect(
      relevant["threads"]?.array == stack["threads"]?.array?.filter { $0["crashed"]?.bool == true })
    for rest in ["/native", "/native/download"] {
      let text = try #require(server.ask("GET", inGroup + "/crashes/\(id)" + rest))
      #expect(text.headers["content-type"]?.hasPrefix("text/plain") == true)
      #expect(text.text.contains("ChartStore.load"))
    }
    func answer(at address: JSONValue?) throws -> String? {
      let text = try #require(address?.string)
      let start = try #require(text.firstRange(of: "/api/")).lowerBound
      return server.ask("GET", String(text[start...]))?.text
    }
    let raw = server.json(inGroup + "/crashes/\(id)/raw/location")["uri"]
    #expect(try answer(at: raw)?.contains("no chart for harbour 12") == true)
    let files = server.json(path("/crashes/\(id)/attachments"))
    expect(files[0], "attachment")
    #expect(files[0]?["file_name"]?.string == "log.txt" && files[0]?["size"]?.integer == 7)
    let file = path("/crashes/\(id)/attachments/\(files[0]?["attachment_id"]?.string ?? "")")
    #expect(server.ask("GET", file + "/text")?.text == "harbour")
    #expect(try answer(at: server.json(file + "/location")["uri"]) == "harbour")
    let info = server.json(path("/crashes_info"))
    #expect(info["has_crashes"]?.bool == true)
    #expect(info["features"]?.object?.count == 6)
    let gone = try #require(server.ask("DELETE", inGroup + "/crashes/" + id))
    let told = try JSONDocument.parse(ByteView(gone.body)).value
    #expect(told["crash_id"]?.string == id && told["crashes_deleted"]?.integer == 1)
    #expect(told["attachments_deleted"]?.integer == 1 && told["blobs_failed"]?.integer == 0)
    #expect(server.ask("GET", inGroup + "/crashes/" + id)?.status == 404)
  }

  @Test("The events in a report's session are shown with it")
  func sessionLogs() throws {
    let server = try server()
    let group = try androidGroup(server)["crash_group_id"]?.string ?? ""
    let id = server.json(path("/crash_groups/\(group)/crashes"))[0]?["crash_id"]?.string ?? ""
    for place in ["/errors/\(id)/sessionLogs", "/crashes/\(id)/session_logs"] {
      let told = server.json(path(place))
      let logs = told["logs"]?.array ?? []
      #expect(logs.map { $0["type"]?.string } == ["event", "page", "event", "error"])
      #expect(logs.map { $0["event_name"]?.string }.prefix(3) == ["tapped", "chart", "zoomed"])
      #expect(logs.map { $0["event_id"]?.string } == ["e1", nil, "e2", Self.crash])
      #expect(logs.first?["properties"]?["n"]?.string == "7")
      #expect(told["exceeded_max_limit"]?.bool == false)
      #expect(told["last_received_log_timestamp"] == logs.last?["timestamp"])
      for log in logs {
        expect(log, "log")
        expect(log["device"], "device")
        #expect(log["install_id"]?.string == "5c1b9d0e-7a52-4c0b-8d5e-2b6a9e4c9999")
      }
      func count(_ date: String) -> Int? {
        server.json(path(place + "?date=" + date))["logs"]?.array?.count
      }
      #expect(count("2026-03-02") == 4 && count("2026-03-03") == 0)
      #expect(count("2026-03-02T10:11:58Z") == 3)
    }
    let other =
      server.json(path("/errors/search?q=skipper"))["errors"]?[0]?["errorId"]?.string ?? ""
    let alone = server.json(path("/errors/\(other)/sessionLogs"))["logs"]?.array ?? []
    #expect(alone.map { $0["type"]?.string } == ["error"])
  }

  @Test("Reports are found by user, device and reason")
  func search() throws {
    let server = try server()
    for (query, count) in [
      ("q=skipper", 1), ("q=SKIPPER", 1), ("q=Pixel", 1), ("q=Pixel%208", 1), ("q=Pixel%209", 0),
      ("q=14", 2), ("q=Android", 1), ("q=ChartStore%20Pixel", 1), ("q=ChartStore%20skipper", 0),
      ("q=NSRangeException", 1), ("q=nothing", 0),
      // Ids that the SDK gives its app, in any spelling.
      ("q=" + Self.crash, 1), ("q=" + Self.crash.uppercased(), 1),
      ("q=%7B" + Self.crash.replacing("-", with: "") + "%7D%20Pixel", 1),
      ("q=" + Self.crash.replacing("b3c1", with: "b3c2"), 0), ("q=" + Self.crash + "0", 0),
      ("filter=userId%20eq%20'skipper'", 1), ("filter=userId%20ne%20'skipper'", 2),
      ("filter=osType%20eq%20'Android'%20and%20osVersion%20ge%20'13'", 1),
      ("filter=osType%20eq%20'Android'%20and%20osVersion%20lt%20'13'", 0),
      ("filter=contains(deviceName,'ixel')", 1), ("filter=startswith(deviceName,%20'ixel')", 0),
      ("filter=contains(exceptionMessage,%20'no%20chart')", 1),
      ("filter=timestamp%20gt%202026-03-01T00:00:00Z&errorType=handledError", 1),
    ] {
      let found = server.json(path("/errors/search?" + query))["errors"]?.array
      #expect(found?.count == count, "\(query)")
    }
  }

  @Test("Searches are sorted by every column, and report unknown terms")
  func sorted() throws {
    let server = try server()
    for column in [
      "timestamp", "errorGroupId", "exceptionClassName", "exceptionFile", "exceptionLine",
      "exceptionMessage", "exceptionMethod", "deviceName", "osVersion", "userId",
    ] {
      for order in ["asc", "desc"] {
        let found = server.json(path("/errors/search?sort=\(column)&order=\(order)"))
        #expect(found["errors"]?.array?.count == 3 && found["hasMoreResults"]?.bool == false)
        let key = found["errors"]?.array?.map { $0[column]?.string ?? "" } ?? []
        guard ["deviceName", "osVersion", "userId", "timestamp"].contains(column) else { continue }
        #expect(key == (order == "asc" ? key.sorted() : key.sorted(by: >)), "\(column) \(order)")
      }
    }
    let part = server.json(path("/errors/search?sort=deviceName&$top=1&$skip=1"))
    #expect(part["errors"]?.array?.count == 1 && part["hasMoreResults"]?.bool == true)
    for column in [
      "matchingReportsCount", "exceptionClassName", "exceptionMessage", "exceptionMethod",
      "lastOccurrence",
    ] {
      let found = server.json(path("/errors/errorGroups/search?order=asc&sort=" + column))
      let keys = found["errorGroups"]?.array?.map { $0[column]?.string ?? "" } ?? []
      #expect(keys.count == 3 && (column == "matchingReportsCount" || keys == keys.sorted()))
    }
    let id = try androidGroup(server)["crash_group_id"]?.string ?? ""
    for query in [
      "q=\(id)", "q=RuntimeException", "filter=contains(exceptionClassName,'ChartStore')",
    ] {
      let found = server.json(path("/errors/errorGroups/search?" + query))["errorGroups"]
      #expect(found?.array?.compactMap { $0["errorGroupId"]?.string } == [id], "\(query)")
    }
    for query in [
      "sort=odd", "filter=odd%20eq%201", "filter=userId", "filter=userId%20eq", "filter=(",
      "filter=userId%20eq%20'a'%20or%20userId%20eq%20'b'", "filter=userId%20eq%20'a",
      "filter=contains(deviceName,'a*b')", "filter=count%20gt%20'a%20b'", "$top=0", "$skip=x",
    ] {
      #expect(server.ask("GET", path("/errors/search?" + query))?.status == 400, "\(query)")
    }
    let versions = path("/errors/available_versions?start=2026-01-01&$filter=")
    #expect(server.json(versions + "contains(version,'1.2')")["versions"]?.array?.count == 1)
    #expect(server.json(versions + "version%20eq%20'9'")["versions"]?.array == [])
  }

  /// Fields by the schema of App Center's API (`Analytics_*`).
  @Test("Counts by day, system and model have the names from before `errors`")
  func analytics() throws {
    let server = try server()
    let id = try androidGroup(server)["crash_group_id"]?.string ?? ""
    let days = "start=2026-03-01&end=2026-03-03"
    let inGroup = path("/analytics/crash_groups/\(id)")
    for (place, count) in [
      (path("/analytics/crash_counts?"), 2), (path("/analytics/crash_counts?versions=1.2.0|9&"), 2),
      (path("/analytics/crash_counts?versions=8|9&"), 0),
      (inGroup + "/crash_counts?version=1.2.0&", 1), (inGroup + "/crash_counts?version=9&", 0),
    ] {
      let counts = server.json(place + days)
      #expect(counts["count"]?.integer == count, "\(place)")
      #expect(counts["crashes"]?.array?.map { $0["count"]?.integer } == [0, count, 0])
      #expect(counts["crashes"]?[0]?["datetime"]?.string == "2026-03-01T00:00:00Z")
    }
    let overall = server.json(inGroup + "/overall?version=1.2.0")
    #expect(overall["crash_count"]?.integer == 1 && overall["device_count"]?.integer == 1)
    #expect(server.json(inGroup + "/overall?version=9")["crash_count"]?.integer == 0)
    let models = server.json(inGroup + "/models?version=1.2.0")
    #expect(models["crash_count"]?.integer == 1)
    #expect(models["models"]?[0]?["model_name"]?.string == "Pixel 8")
    let systems = server.json(inGroup + "/operating_systems?version=1.2.0&$top=1")
    #expect(systems["operating_systems"]?[0]?["operating_system_name"]?.string == "Android 14")
    #expect(systems["operating_systems"]?[0]?["crash_count"]?.integer == 1)
    #expect(server.json(inGroup + "/models?version=9")["models"]?.array == [])
    let rates = server.json(
      path("/analytics/crashfree_device_percentages?version=1.2.0&start=2026-01-01"))
    #expect(rates["average_percentage"]?.double == -1)
    #expect(rates["daily_percentages"]?.array?.first?["percentage"]?.double == -1)

    func ask(_ body: String) throws -> (status: Int, value: JSONValue) {
      let answer = try #require(
        server.ask("POST", path("/analytics/crash_groups"), body: Array(body.utf8)))
      return (answer.status, try JSONDocument.parse(ByteView(answer.body)).value)
    }
    let several = try ask(
      #"{"crash_groups":[{"crash_group_id":"\#(id)","app_version":"1.2.0"},"#
        + #"{"crash_group_id":"TERN-99"}]}"#
    )
    #expect(several.status == 200 && several.value.array?.count == 2)
    #expect(several.value[0]?["overall"]?["device_count"]?.integer == 1)
    #expect(several.value[0]?["app_version"]?.string == "1.2.0")
    #expect(several.value[1]?["overall"]?["crash_count"]?.integer == 0)
    for body in ["", "[]", #"{"crash_groups":[]}"#, #"{"crash_groups":[{}]}"#] {
      let refusal = try ask(body)
      #expect(refusal.status == 400 && refusal.value["error"]?["code"]?.integer == 400, "\(body)")
    }
    for place in ["/overall", "/models", "/operating_systems", "/crash_counts?start=2026-01-01"] {
      #expect(server.json(inGroup + place)["error"]?["message"]?.string == "version is missing")
    }
    #expect(
      server.json(path("/analytics/crash_groups/TERN-99/overall?version=1"))["error"]?["code"]?
        .integer == 404)
    // A request for a missing object gets the gateway's message.
    let other = server.json(path("/analytics/audience"))
    #expect(other["statusCode"]?.integer == 404 && other["code"]?.string == "Not Found")
  }

  @Test("A crash file is uploaded by hand, with its user")
  func upload() throws {
    let server = try server()
    let report = try ByteView(mapping: Samples.path("apple-ips/abort-1.0.0-macos-x86_64.ips")).array
    func upload(_ field: String, token: String? = nil) throws -> (Int, JSONValue) {
      let part = "\r\n--xx\r\nContent-Disposition: form-data; name="
      let head = Array((part + "\"\(field)\"; filename=\"../a.ips\"\r\n\r\n").utf8)
      let user = Array((part + "\"error_user_id\"\r\n\r\nskipper\r\n--xx--\r\n").utf8)
      let answer = try #require(
        server.ask(
          "POST", path("/errors/upload"), token: token,
          headers: ["Content-Type: multipart/form-data; boundary=xx"],
          body: (field.isEmpty ? [] : head + report) + user))
      return (answer.status, try JSONDocument.parse(ByteView(answer.body)).value)
    }
    let done = try upload("log")
    #expect(done.0 == 200 && done.1["status"]?.string == "accepted")
    #expect(server.waitForQueue())
    let found = server.json(path("/errors/search?q=abort"))["errors"]
    #expect(found?.array?.count == 1 && found?[0]?["hasAttachments"]?.bool == true)
    let id = found?[0]?["errorId"]?.string ?? ""
    let files = server.json(path("/errors/\(id)/attachments"))
    #expect(files[0]?["fileName"]?.string == "error_user_id.txt")
    #expect(try upload("").1["error"]?["code"]?.string == "BadRequest")
    #expect(try upload("log", token: "wrong").1["error"]?["code"]?.string == "Unauthorized")
  }
}
