import Bytes
import JSON
import TestSupport
import Testing

@testable import ProgramSupport

/// App Center's REST API for errors, by requests to the built program.
@Suite("App Center's errors", .serialized)
struct AppCenterErrorsTests {
  private let folder = ScratchFolder()
  private static let secret = "7a4d1c00-0000-4000-8000-00000000a001"
  private static let base = "/v0.1/apps/acme/Tern"

  /// Members that the schema of App Center's API requires.
  private static let required: [String: [String]] = [
    "app": ["id", "display_name", "name", "os", "owner", "app_secret", "platform", "origin"],
    "owner": ["id", "display_name", "name", "type"],
    "group": [
      "errorGroupId", "appVersion", "state", "count", "deviceCount", "firstOccurrence",
      "lastOccurrence",
    ],
    "thread": ["title", "frames"], "exception": ["frames"],
    "frame": ["app_code", "code_raw", "code_formatted"],
  ]

  private func expect(
    _ value: JSONValue?, _ kind: String, _ place: SourceLocation = #_sourceLocation
  ) {
    let keys = Set((value?.object ?? []).map(\.key))
    let missing = (Self.required[kind] ?? []).filter { !keys.contains($0) }
    #expect(missing.isEmpty, "\(kind) lacks \(missing)", sourceLocation: place)
  }

  private func send(_ name: String, to server: RunningServer) throws {
    let bytes = try ByteView(mapping: Samples.path("appcenter/" + name)).array
    let answer = server.ask(
      "POST", "/logs?api-version=1.0.0", token: "",
      headers: [
        "App-Secret: " + Self.secret, "Install-ID: 5c1b9d0e-7a52-4c0b-8d5e-2b6a9e4c9999",
        "Content-Type: application/json",
      ], body: bytes)
    #expect(answer?.status == 200, "\(answer?.text ?? "")")
  }

  /// A server with two crashes, one with a text attachment, and a handled error.
  private func server() throws -> RunningServer {
    let home = folder.path("home")
    #expect(Run(["apps", "add", "Tern", "--secret", Self.secret, "--home", home]).status == 0)
    let server = try #require(RunningServer(home: home))
    try send("android-cause.json", to: server)
    try send("apple-exception.json", to: server)
    try send("dotnet-handled.json", to: server)
    let attachment = """
      {"logs":[{"type":"errorAttachment","timestamp":"2026-03-02T10:12:01Z",
      "id":"00000000-0000-4000-8000-000000000001","errorId":"b3c1f0d2-5b7e-4e19-8c3a-6f2d1b9e0a12",
      "contentType":"text/plain","fileName":"log 1.txt","data":"aGFyYm91cg=="}]}
      """
    let answer = server.ask(
      "POST", "/logs?api-version=1.0.0", token: "", headers: ["App-Secret: " + Self.secret],
      body: Array(attachment.utf8))
    #expect(answer?.status == 200)
    #expect(server.waitForQueue())
    return server
  }

  private func path(_ rest: String) -> String { Self.base + "/errors" + rest }

  private func androidGroup(_ server: RunningServer) throws -> String {
    let found = server.json(path("/errorGroups/search?q=ChartStore"))["errorGroups"]
    #expect(found?.array?.count == 1)
    return try #require(found?[0]?["errorGroupId"]?.string)
  }

  @Test("Apps have the fields of App Center, with any owner")
  func apps() throws {
    let server = try server()
    let all = server.json("/v0.1/apps")
    #expect(all.array?.count == 1)
    for app in [all[0] ?? .null, server.json(Self.base), server.json("/v0.1/apps/other/Tern")] {
      expect(app, "app")
      expect(app["owner"], "owner")
      #expect(app["name"]?.string == "Tern" && app["app_secret"]?.string == Self.secret)
    }
  }

  @Test("Groups are listed, searched, paged, counted and changed")
  func groups() throws {
    let server = try server()
    let list = server.json(path("/errorGroups?start=2026-01-01"))
    let groups = list["errorGroups"]?.array ?? []
    #expect(groups.count == 3 && list["nextLink"] == nil)
    for group in groups { expect(group, "group") }
    func count(_ query: String) -> Int? {
      server.json(path("/errorGroups?start=2026-01-01" + query))["errorGroups"]?.array?.count
    }
    #expect(count("&errorType=handledError") == 1 && count("&errorType=unhandledError") == 2)
    #expect(count("&version=1.2.0&app_build=34") == 3 && count("&version=9") == 0)
    #expect(count("&end=2026-01-02") == 0 && count("&groupState=closed") == 0)

    var seen: [String] = []
    var next: String? = path("/errorGroups?start=2026-01-01&$top=2&$orderby=lastOccurrence%20desc")
    while let address = next {
      let page = server.json(address)
      seen += (page["errorGroups"]?.array ?? []).compactMap { $0["errorGroupId"]?.string }
      next = page["nextLink"]?.string.flatMap { link in
        link.firstRange(of: "/v0.1").map { String(link[$0.lowerBound...]) }
      }
      guard seen.count < 10 else { break }
    }
    #expect(seen.count == 3 && Set(seen).count == 3)

    let id = try androidGroup(server)
    let group = server.json(path("/errorGroups/\(id)"))
    expect(group, "group")
    #expect(group["appVersion"]?.string == "1.2.0" && group["appBuild"]?.string == "34")
    #expect(group["exceptionType"]?.string == "java.lang.RuntimeException")
    #expect(group["exceptionClassName"]?.string == "org.example.tern.ChartStore")
    #expect(group["exceptionMethod"]?.string == "load")
    #expect(group["exceptionLine"]?.string == "31" && group["count"]?.integer == 1)
    #expect(group["reasonFrames"]?[0]?["line"]?.integer == 31)
    let models = server.json(path("/errorGroups/\(id)/models"))
    #expect(models["errorCount"]?.integer == 1)
    #expect(models["models"]?[0]?["modelName"]?.string == "Pixel 8")
    let systems = server.json(path("/errorGroups/\(id)/operatingSystems"))
    #expect(systems["operatingSystems"]?[0]?["operatingSystemName"]?.string == "Android 14")
    let days = "start=2026-03-01&end=2026-03-03"
    for (place, count) in [("/errorGroups/\(id)", 1), ("", 3)] {
      let counts = server.json(path("\(place)/errorCountsPerDay?version=1.2.0&" + days))
      #expect(counts["count"]?.integer == count)
      #expect(counts["errors"]?.array?.map { $0["count"]?.integer } == [0, count, 0])
    }

    func change(_ body: String) throws -> JSONValue {
      let answer = try #require(
        server.ask("PATCH", path("/errorGroups/\(id)"), body: Array(body.utf8)))
      return try JSONDocument.parse(ByteView(answer.body)).value
    }
    for state in ["closed", "ignored", "open"] {
      let changed = try change(#"{"state":"\#(state)","annotation":"seen \#(state)"}"#)
      #expect(changed["state"]?.string == state)
      #expect(changed["annotation"]?.string == "seen \(state)")
    }
    #expect(try change(#"{"state":"odd"}"#)["error"]?["code"]?.string == "BadRequest")
  }

  @Test("Reports are shown with their stacks and files, and removed")
  func reports() throws {
    let server = try server()
    let group = try androidGroup(server)
    let inGroup = path("/errorGroups/\(group)")
    let list = server.json(inGroup + "/errors?start=2026-01-01&os=Android%2014&model=Pixel%208")
    let id = try #require(list["errors"]?[0]?["errorId"]?.string)
    #expect(list["errors"]?[0]?["hasAttachments"]?.bool == true)
    for place in ["latest", id] {
      let report = server.json(inGroup + "/errors/" + place)
      #expect(report["errorId"]?.string == id)
      #expect(report["timestamp"]?.string == "2026-03-02T10:12:00.25Z")
      #expect(report["appLaunchTimestamp"]?.string == "2026-03-02T10:11:59Z")
      #expect(report["deviceName"]?.string == "Pixel 8" && report["osType"]?.string == "Android")
      #expect(report["language"]?.string == "en_US" && report["osVersion"]?.string == "14")
    }
    for place in [inGroup + "/stacktrace", inGroup + "/errors/\(id)/stacktrace"] {
      let stack = server.json(place)
      #expect(stack["threads"]?.array?.isEmpty == false)
      for thread in stack["threads"]?.array ?? [] {
        expect(thread, "thread")
        for frame in thread["frames"]?.array ?? [] { expect(frame, "frame") }
      }
      expect(stack["exception"], "exception")
      #expect(stack["exception"]?["platform"]?.string == "android")
      let cause = stack["exception"]?["inner_exceptions"]?[0]
      expect(cause, "exception")
      let frame = cause?["frames"]?[0]
      expect(frame, "frame")
      #expect(frame?["class_name"]?.string == "org.example.tern.ChartStore")
      #expect(frame?["line"]?.integer == 31 && frame?["language"]?.string == "Java")
    }
    let file = inGroup + "/errors/\(id)/download"
    #expect(server.json(file)["id"]?.string == id)
    #expect(server.ask("GET", file + "?format=txt")?.text.contains("ChartStore.load") == true)
    func answer(at address: JSONValue?) throws -> String? {
      let text = try #require(address?.string)
      let start = try #require(text.firstRange(of: "/api/")).lowerBound
      return server.ask("GET", String(text[start...]))?.text
    }
    let raw = server.json(inGroup + "/errors/\(id)/location")["uri"]
    #expect(try answer(at: raw)?.contains("no chart for harbour 12") == true)

    let files = server.json(path("/\(id)/attachments"))
    #expect(files[0]?["fileName"]?.string == "log 1.txt" && files[0]?["size"]?.integer == 7)
    #expect(try answer(at: files[0]?["blobLocation"]) == "harbour")
    let attachment = path("/\(id)/attachments/\(files[0]?["attachmentId"]?.string ?? "")")
    #expect(server.json(attachment + "/text")["content"]?.string == "harbour")
    #expect(try answer(at: server.json(attachment + "/location")["uri"]) == "harbour")

    #expect(server.json(path("/search?q=ChartStore"))["errors"]?[0]?["errorId"]?.string == id)
    let gone = try #require(server.ask("DELETE", inGroup + "/errors/\(id)"))
    let told = try JSONDocument.parse(ByteView(gone.body)).value
    #expect(told["errorsDeleted"]?.integer == 1 && told["attachmentsDeleted"]?.integer == 1)
    #expect(server.ask("GET", inGroup + "/errors/\(id)")?.status == 404)
  }

  @Test("Versions, builds, retention and rates are returned, and errors have the family's format")
  func figures() throws {
    let server = try server()
    let versions = server.json(
      path("/available_versions?start=2026-01-01&$inlinecount=allpages&errorType=all"))
    #expect(versions["versions"]?.array?.contains(.string("1.2.0")) == true)
    #expect(versions["total_count"]?.integer == versions["versions"]?.array?.count)
    let builds = server.json(path("/availableAppBuilds?version=1.2.0&start=2026-01-01"))
    #expect(builds["appBuilds"]?.array == [.string("34")])
    let put = server.ask(
      "PUT", path("/retention_settings"), body: Array(#"{"retention_in_days":28}"#.utf8))
    #expect(put?.status == 200)
    #expect(server.json(path("/retention_settings"))["retention_in_days"]?.integer == 28)
    let id = try androidGroup(server)
    for place in ["", "/errorGroups/\(id)"] {
      let rates = server.json(
        path(place + "/errorfreeDevicePercentages?start=2026-03-02&end=2026-03-02"))
      #expect(rates["averagePercentage"]?.double != nil, "\(rates)")
      #expect(rates["dailyPercentages"]?.array != nil)
    }

    // One of two installations had crashes. A clock that far in the past is not believed: it counts as today.
    for install in ["5c1b9d0e-7a52-4c0b-8d5e-2b6a9e4c9999", "5c1b9d0e-7a52-4c0b-8d5e-2b6a9e4c8888"]
    {
      let session = """
        {"logs":[{"type":"startSession","timestamp":"2026-03-02T10:12:01Z",
        "sid":"\(install)","device":{"appVersion":"1.2.0","appBuild":"34"}}]}
        """
      let headers = ["App-Secret: " + Self.secret, "Install-ID: " + install]
      let sent = server.ask(
        "POST", "/logs?api-version=1.0.0", token: "", headers: headers, body: Array(session.utf8))
      #expect(sent?.status == 200)
    }
    #expect(server.waitForQueue())
    for query in ["", "&versions=1.2.0|9.9", "&errorType=unhandledError"] {
      let rates = server.json(path("/errorfreeDevicePercentages?start=2026-01-01" + query))
      #expect(rates["averagePercentage"]?.double == 50, "\(query)")
    }
    #expect(
      try refusal(path("/errorfreeDevicePercentages?start=2026-01-01&app_build=3"))
        == (400, "BadRequest"))

    func refusal(_ path: String, token: String? = nil) throws -> (Int, String?) {
      let answer = try #require(server.ask("GET", path, token: token))
      let value = try JSONDocument.parse(ByteView(answer.body)).value
      #expect(value["error"]?["message"]?.string?.isEmpty == false)
      return (answer.status, value["error"]?["code"]?.string)
    }
    #expect(try refusal(path("/errorGroups")) == (400, "BadRequest"))
    #expect(try refusal(path("/errorGroups/search?filter=a%20eq%20b")) == (400, "BadRequest"))
    #expect(try refusal(path("/errorGroups/TERN-99")) == (404, "NotFound"))
    #expect(
      try refusal("/v0.1/apps/acme/Gull/errors/errorGroups?start=2026-01-01") == (404, "NotFound"))
    #expect(try refusal(path("/errorGroups"), token: "wrong") == (401, "Unauthorized"))
    let made = try #require(
      server.ask("POST", "/api/v1/tokens", body: Array(#"{"label":"t","scopes":["read"]}"#.utf8)))
    let reader = try JSONDocument.parse(ByteView(made.body)).value["token"]?.string ?? ""
    #expect(
      server.ask("GET", Self.base, token: "", headers: ["X-API-Token: \(reader)"])?.status == 200)
    let body = Array(#"{"state":"closed"}"#.utf8)
    let address = path("/errorGroups/\(id)")
    #expect(server.ask("PATCH", address, token: reader, body: body)?.status == 403)
  }
}
