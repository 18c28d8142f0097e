import Bytes
import Glibc
import JSON
import Synchronization
import TestSupport
import Testing

@testable import ProgramSupport

/// Symbol uploads as App Center's command line client makes them, by requests to the built program.
@Suite("App Center's uploads", .serialized)
struct AppCenterUploadTests {
  private let folder = ScratchFolder()
  private static let secret = "7a4d1c00-0000-4000-8000-00000000a001"
  private static let dSYM = "/Symbols/apple/1.0.0/macos/Tern.app.dSYM/Contents/Resources/DWARF/Tern"
  /// The instructions of the app's frames: for calls, the address before the return address.
  private static let crash = "abort-1.0.0-macos-x86_64.ips"
  private static let offsets = [2847, 3501, 4029, 4313, 2990].map { $0 - 1 }
  private static let answers = "4c4c4406-5555-3144-a1a0-6dad576a904b.jsonl"

  private func server() throws -> RunningServer {
    let home = folder.path("home")
    #expect(Run(["apps", "add", "Tern", "--secret", Self.secret, "--home", home]).status == 0)
    return try #require(RunningServer(home: home))
  }

  private func token(_ scopes: String, _ server: RunningServer, app: String? = nil) throws -> String
  {
    if let app {
      _ = server.ask("POST", "/api/v1/apps", body: Array(#"{"name":"\#(app)"}"#.utf8))
    }
    let app = app.map { #","app":"\#($0)""# } ?? ""
    let body = #"{"label":"CI","scopes":[\#(scopes)]\#(app)}"#
    let made = try #require(server.ask("POST", "/api/v1/tokens", body: Array(body.utf8)))
    return try #require(JSONDocument.parse(ByteView(made.body)).value["token"]?.string)
  }

  private func client(_ server: RunningServer) throws -> AppCenterClient {
    AppCenterClient(server: server, token: try token(#""symbols""#, server))
  }

  /// A dSYM as the client packs it.
  private func bundle() throws -> [UInt8] {
    var zip = ZipBuilder()
    zip.add(
      "Tern.app.dSYM/Contents/Resources/DWARF/Tern".utf8,
      try ByteView(mapping: Samples.root + Self.dSYM).array)
    zip.add("__MACOSX/Tern.app.dSYM/Contents/Resources/DWARF/._Tern", "\u{0}\u{5}\u{16}\u{7}")
    return zip.bytes
  }

  private func send(_ log: String, to server: RunningServer) {
    let answer = server.ask(
      "POST", "/logs?api-version=1.0.0", token: "", headers: ["App-Secret: " + Self.secret],
      body: Array(#"{"logs":[\#(log)]}"#.utf8))
    #expect(answer?.status == 200)
  }

  /// The symbols of the app's own frames on the stack of the one group.
  private func symbols(_ server: RunningServer) -> [String] {
    let base = "/v0.1/apps/acme/Tern/errors/errorGroups"
    let groups = server.json(base + "?start=2026-01-01")["errorGroups"]?.array ?? []
    #expect(groups.count == 1)
    let stack = server.json("\(base)/\(groups.first?["errorGroupId"]?.string ?? "")/stacktrace")
    let crashed = stack["threads"]?.array?.first { $0["crashed"]?.bool == true }
    return (crashed?["frames"]?.array ?? [])
      .filter { $0["framework_name"]?.string == "Tern" }.compactMap { $0["code_raw"]?.string }
  }

  @Test(
    "A dSYM that comes late explains the crash, in one piece and in blocks", arguments: [1, 2, 3])
  func dSYM(way: Int) throws {
    let server = try server()
    let client = try client(server)
    send(
      try AppleLog.text(ips: Self.crash, id: "A3C1F0D2-5B7E-4E19-8C3A-6F2D1B9E0A77"), to: server)
    #expect(server.waitForQueue())
    #expect(symbols(server).allSatisfy { $0.hasPrefix("0x") })
    let zip = try bundle()
    let upload = try client.announce(#"{"symbol_type":"Apple"}"#)
    if way == 1 {
      #expect(try client.put(zip, to: upload) == 201)
    } else {
      try putBlocks(of: zip, to: upload, client, isParallel: way == 3)
    }
    let done = try client.finish(upload)
    for key in ["symbol_upload_id", "app_id", "status", "symbol_type"] {
      #expect(done[key]?.string?.isEmpty == false, "\(key)")
    }
    #expect(done["symbol_upload_id"]?.string == upload.id)
    #expect(done["status"]?.string == "indexed" && done["symbol_type"]?.string == "Apple")
    let found = done["symbols_uploaded"]?.array?.compactMap { $0["symbol_id"]?.string } ?? []
    #expect(
      Set(found) == ["4c4c440655553144a1a06dad576a904b", "4c4c446255553144a145492a6d73fdce"])
    // A client that got no response asks again.
    #expect(try client.finish(upload)["status"]?.string == "indexed")
    #expect(server.waitForQueue())
    let again = try client.announce(#"{"symbol_type":"Apple"}"#)
    try client.put(zip, to: again)
    // A client that timed out repeats its commit while the first is processed.
    let results = Mutex<[String?]>([])
    runThreads(3) {
      let status = try? client.finish(again)["status"]?.string
      results.withLock { $0.append(status) }
    }
    #expect(results.withLock { $0 } == ["indexed", "indexed", "indexed"])
    let expected = try Self.offsets.flatMap { try AppleLog.expected(Self.answers, at: $0) }
    #expect(expected.count >= Self.offsets.count)
    #expect(symbols(server) == expected)
  }

  @Test(
    "A dSYM that was cut off fails, in one piece and in blocks, and is still missing",
    arguments: [1, 2])
  func cutOff(way: Int) throws {
    let server = try server()
    let client = try client(server)
    send(
      try AppleLog.text(ips: Self.crash, id: "A3C1F0D2-5B7E-4E19-8C3A-6F2D1B9E0A78"), to: server)
    #expect(server.waitForQueue())
    func missing() throws -> Int? {
      try client.json("GET", client.base + "/diagnostics/symbol_groups_info")["total_crash_count"]?
        .integer
    }
    let before = try missing()
    let whole = try ByteView(mapping: Samples.root + Self.dSYM).array
    for length in [whole.count * 3 / 5, whole.count * 4 / 5, whole.count - 1] {
      var zip = ZipBuilder()
      zip.add(
        "Tern.app.dSYM/Contents/Resources/DWARF/Tern".utf8, Array(whole.prefix(length)))
      let upload = try client.announce(#"{"symbol_type":"Apple"}"#)
      if way == 1 {
        #expect(try client.put(zip.bytes, to: upload) == 201)
      } else {
        try putBlocks(of: zip.bytes, to: upload, client, isParallel: false)
      }
      #expect(throws: AppCenterClient.Failed.self, "\(length)") { try client.finish(upload) }
      let failed = try client.json("GET", client.base + "/symbol_uploads/" + upload.id)
      #expect(failed["status"]?.string == "failed")
    }
    #expect(server.waitForQueue())
    #expect(try missing() == before)
    #expect(symbols(server).allSatisfy { $0.hasPrefix("0x") })
  }

  @Test("A commit without waiting is answered at once, and is done after a kill")
  func restart() throws {
    var server = try server()
    let first = try client(server)
    let upload = try first.announce(#"{"symbol_type":"Apple"}"#)
    try first.put(try bundle(), to: upload)
    let path = first.base + "/symbol_uploads/" + upload.id
    let answer = try #require(
      server.ask(
        "PATCH", path, headers: ["Prefer: respond-async"],
        body: Array(#"{"status":"committed"}"#.utf8)))
    let status = try JSONDocument.parse(ByteView(answer.body)).value["status"]?.string ?? ""
    #expect(answer.status == 200 && ["processing", "indexed"].contains(status), "\(answer.text)")
    let token = server.token
    #expect(server.stop(SIGKILL) == 128 + SIGKILL)
    server = try #require(RunningServer(home: server.home, token: token))
    #expect(RunningMayday.wait { server.json(path)["status"]?.string == "indexed" })
    #expect(server.json(path)["symbols_uploaded"]?.array?.count == 2)
  }

  /// Blocks out of order, one of them twice, with ids from the client's storage library.
  private func putBlocks(
    of bytes: [UInt8], to upload: AppCenterClient.Announced, _ client: AppCenterClient,
    isParallel: Bool
  ) throws {
    let size = AppCenterClient.blockSize
    let pieces = stride(from: 0, to: bytes.count, by: size).enumerated().map { index, start in
      let number = String(1_000_000 + index).dropFirst()
      let name = "7c9e6679-7425-40de-944b-e07fc1f90ae7\(number)"
      return (
        id: Base64Text.of(Array(name.utf8)), bytes: bytes[start..<min(start + size, bytes.count)]
      )
    }
    #expect(pieces.count > 2)
    let order = Array(pieces.reversed()) + [pieces[0]]
    if isParallel {
      let failures = Mutex(0)
      let next = Mutex(0)
      runThreads(3) {
        while true {
          let index = next.withLock { value in
            defer { value += 1 }
            return value
          }
          guard index < order.count * 2 else { return }
          let piece = order[index / 2]
          let status = try? client.putBlock(piece.id, piece.bytes, to: upload)
          if status != 201 { failures.withLock { $0 += 1 } }
        }
      }
      #expect(failures.withLock { $0 } == 0)
    } else {
      for piece in order {
        #expect(try client.putBlock(piece.id, piece.bytes, to: upload) == 201)
      }
      // A list with a missing block assembles nothing.
      #expect(try client.putList(pieces.map(\.id) + ["bm9uZQ=="], to: upload) == 409)
    }
    for _ in 1...2 { #expect(try client.putList(pieces.map(\.id), to: upload) == 201) }
  }

  @Test("Failures have a status that the client does not take for success")
  func trap() throws {
    let server = try server()
    let client = try client(server)
    func begin(_ client: AppCenterClient, _ body: String = #"{"symbol_type":"Apple"}"#) throws
      -> Int
    {
      try client.call("POST", client.base + "/symbol_uploads", body).status
    }
    func commit(
      _ id: String, _ client: AppCenterClient, _ body: String = #"{"status":"committed"}"#
    ) throws -> Int {
      let answer = try client.call("PATCH", client.base + "/symbol_uploads/" + id, body)
      let message = try JSONDocument.parse(ByteView(answer.body)).value["message"]?.string
      #expect(message?.isEmpty == false, "\(answer.text)")
      return answer.status
    }
    var statuses: [Int] = []
    for body in ["", "[]", "{}", #"{"symbol_type":"Odd"}"#, #"{"symbol_type":"AndroidProguard"}"#] {
      statuses.append(try begin(client, body))
    }
    let upload = try client.announce(#"{"symbol_type":"Apple"}"#)
    // The client sends the commit though its PUT has failed.
    statuses.append(try commit(upload.id, client))
    try client.put(Array("no archive".utf8), to: upload)
    statuses.append(try commit(upload.id, client, "{}"))
    statuses.append(try commit("none", client))
    for scopes in [#""read""#, #""ingest""#] {
      let other = AppCenterClient(server: server, token: try token(scopes, server))
      statuses += [try begin(other), try commit(upload.id, other)]
    }
    let stranger = AppCenterClient(server: server, token: "wrong")
    statuses += [try begin(stranger), try commit(upload.id, stranger)]
    var one = AppCenterClient(server: server, token: try token(#""symbols""#, server, app: "Tern"))
    #expect(try begin(one) == 200)
    one.app = "acme/Gull"
    statuses += [try begin(one), try commit(upload.id, one)]
    // For a file that is not a debug file, the commit fails, and so does every further one.
    statuses += [try commit(upload.id, client), try commit(upload.id, client)]
    let aborted = try client.announce(#"{"symbol_type":"Apple"}"#)
    #expect(try client.finish(aborted, "aborted")["status"]?.string == "aborted")
    statuses.append(try commit(aborted.id, client))
    #expect(
      statuses == [
        422, 422, 422, 422, 422, 409, 422, 404, 401, 401, 401, 401, 401, 401, 404, 404, 422, 409,
        409,
      ])
    // Nothing can be sent to an upload that has ended, nor with another signature.
    #expect(try client.put([1], to: aborted) == 401)
    let open = try client.announce(#"{"symbol_type":"Apple"}"#)
    #expect(
      server.ask("PUT", "/symbol-blobs/\(open.id)?sig=0", token: "", body: [1])?.status == 401)
    #expect(try client.put([], to: open) == 409)
    #expect(try client.putList([], to: open) == 409)
  }

  @Test("Mappings are stored as debug files of their release, and can be downloaded unchanged")
  func mappings() throws {
    let client = try client(try server())
    let mapping = Array("org.example.tern.Charts -> a.a:\n    3:3:void load() -> a\n".utf8)
    let upload = try client.announce(
      #"{"symbol_type":"AndroidProguard","file_name":"mapping.txt","version":"1.2","build":"34"}"#)
    #expect(try client.put(mapping, to: upload) == 201)
    let done = try client.finish(upload)
    #expect(done["status"]?.string == "indexed" && done["file_name"]?.string == "mapping.txt")
    let path = client.base + "/symbol_uploads"
    #expect(try client.json("GET", path + "/" + upload.id) == done)
    #expect(
      try client.json("GET", path + "?symbol_type=AndroidProguard&status=uploaded")[0] == done)
    #expect(try client.json("GET", path + "?symbol_type=Apple").array == [])
    #expect(try client.json("GET", path + "?status=processed")[0] == done)
    let stored = client.server.json("/api/v1/symbols")["items"]?.array ?? []
    #expect(stored.map { $0["kind"]?.string } == ["mapping", "mapping"])
    let place = try client.json("GET", path + "/\(upload.id)/location")["uri"]?.string ?? ""
    let start = try #require(place.firstRange(of: "/symbol-blobs")).lowerBound
    let blob = String(place[start...])
    #expect(try client.call("GET", blob).body == mapping)
    for (app, status) in [("Tern", 200), ("Gull", 404)] {
      let one = AppCenterClient(
        server: client.server, token: try token(#""symbols""#, client.server, app: app))
      #expect(try one.call("GET", blob).status == status)
    }
    #expect(try client.json("DELETE", path + "/" + upload.id) == done)
    #expect(try client.call("GET", path + "/" + upload.id).status == 404)
    #expect(try client.call("GET", String(place[start...])).status == 404)
  }

  /// `appcenter crashes upload-missing-symbols`
  @Test("The client finds what is missing, uploads it, and finds nothing more")
  func missing() throws {
    let server = try server()
    var client = try client(server)
    send(
      try AppleLog.text(ips: Self.crash, id: "A3C1F0D2-5B7E-4E19-8C3A-6F2D1B9E0A77"), to: server)
    #expect(server.waitForQueue())
    let path = client.base + "/diagnostics/symbol_groups?top=2147483647"
    func missing() throws -> [String] {
      let groups = try client.json("GET", path)["groups"]?.array ?? []
      for group in groups {
        for key in [
          "symbol_group_id", "app_id", "app_ver", "app_build", "last_modified", "status",
        ] {
          #expect(group[key]?.string?.isEmpty == false, "\(key)")
        }
        let id = group["symbol_group_id"]?.string ?? ""
        #expect(try client.json("GET", client.base + "/diagnostics/symbol_groups/\(id)") == group)
      }
      return groups.flatMap { $0["missing_symbols"]?.array ?? [] }
        .filter { $0["status"]?.string == "missing" }.compactMap { $0["symbol_id"]?.string }
    }
    let own = "4c4c440655553144a1a06dad576a904b"
    let before = try missing()
    #expect(before.contains(own))
    #expect(
      before.allSatisfy { id in
        id.utf8.count == 32 && id.allSatisfy { $0.isHexDigit && !$0.isUppercase }
      })
    #expect(try client.json("GET", path)["total_crash_count"]?.integer == 1)
    let info = client.base + "/diagnostics/symbol_groups_info"
    #expect(try client.json("GET", info)["total_crash_count"]?.integer == 1)
    let status = client.base + "/symbols/\(own)/status"
    #expect(try client.json("GET", status)["status"]?.string == "missing")
    try client.uploadSymbols(try bundle())
    #expect(server.waitForQueue())
    #expect(try missing() == before.filter { $0 != own })
    #expect(try client.json("GET", status)["status"]?.string == "available")
    let symbols = try client.json("GET", client.base + "/symbols").array ?? []
    let symbol = try #require(symbols.first { $0["symbol_id"]?.string == own })
    for key in [
      "symbol_id", "platform", "type", "app_id", "url", "origin", "status", "symbol_upload_id",
    ] {
      #expect(symbol[key]?.string?.isEmpty == false, "\(key)")
    }
    #expect(symbol["alternate_symbol_ids"]?.array != nil)
    #expect(try client.json("GET", client.base + "/symbols/\(own)") == symbol)
    let uri = try client.json("GET", client.base + "/symbols/\(own)/location")["uri"]?.string ?? ""
    let start = try #require(uri.firstRange(of: "/v0.1")).lowerBound
    let file = try client.call("GET", String(uri[start...])).body
    #expect(file == (try ByteView(mapping: Samples.root + Self.dSYM).array))
    for rest in ["", "/status", "/location", "/file"] {
      #expect(
        try client.call("GET", client.base + "/symbols/\(before[0].dropLast())0" + rest).status
          == 404)
    }
    // Ignored symbols are not requested any more.
    let ignore = client.base + "/symbols/\(before[0] == own ? before[1] : before[0])/ignore"
    let answer = try client.json("POST", ignore, "{}")
    #expect(answer["status"]?.string == "ignored" && answer["type"]?.string == "Apple")
    let ignored = try #require(answer["symbol_id"]?.string)
    #expect(try missing() == before.filter { $0 != own && $0 != ignored })
    let told = try client.json("GET", client.base + "/symbols/\(ignored)/status")
    #expect(told["status"]?.string == "ignored")
    // A token of another app learns nothing of it.
    let other = AppCenterClient(
      server: server, token: try token(#""symbols""#, server, app: "Gull"))
    #expect(try other.call("GET", path).status == 404)
    // Nor is it requested in a home restored from a backup.
    let admin = server.token
    #expect(Run(["backup", folder.path("b"), "--home", server.home]).status == 0)
    #expect(server.stop() == 0)
    let copy = folder.path("copy")
    #expect(Run(["restore", folder.path("b"), "--home", copy]).status == 0)
    client = AppCenterClient(
      server: try #require(RunningServer(home: copy, token: admin)), token: client.token)
    #expect(try missing() == before.filter { $0 != own && $0 != ignored })
  }

  @Test("The client signs in with any token; unknown operations get the gateway's answer")
  func others() throws {
    let server = try server()
    for scope in [#""read""#, #""symbols""#] {
      let client = AppCenterClient(server: server, token: try token(scope, server))
      let user = try client.json("GET", "/v0.1/user")
      #expect(user["display_name"]?.string == "CI" && user["name"]?.string == "CI")
      #expect(user["permissions"]?.array == [] && user["origin"]?.string == "appcenter")
    }
    let stranger = AppCenterClient(server: server, token: "wrong")
    let refused = try stranger.call("GET", "/v0.1/user")
    #expect(refused.status == 401)
    #expect(
      try JSONDocument.parse(ByteView(refused.body)).value["error"]?["code"]?.string
        == "Unauthorized")
    for (method, path) in [
      ("GET", "/v0.1/none"), ("POST", "/v0.1/user"), ("DELETE", "/v0.1/apps/acme/Tern/odd"),
      ("PUT", "/v0.1/apps/acme/Tern/errors/errorGroups"),
    ] {
      let answer = try #require(
        server.ask(method, path, body: method == "GET" ? nil : Array("{}".utf8)))
      let value = try JSONDocument.parse(ByteView(answer.body)).value
      #expect(answer.status == 404 && value["statusCode"]?.integer == 404, "\(method) \(path)")
      #expect(value["code"]?.string == "Not Found")
      let message = try #require(value["message"]?.string)
      #expect(message.hasPrefix("Not found. Correlation ID: "))
      let id = message.split(separator: " ").last ?? ""
      #expect(id.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
    }
    #expect(server.ask("POST", "/OneCollector/1.0", token: "", body: [0x7b, 0x7d])?.status == 404)
    let made = try #require(
      server.ask(
        "POST", "/v0.1/orgs/acme/apps",
        body: Array(#"{"name":"Gull","display_name":"Gull","os":"iOS","platform":"Unknown"}"#.utf8))
    )
    let app = try JSONDocument.parse(ByteView(made.body)).value
    #expect(made.status == 201 && app["name"]?.string == "Gull")
    #expect(app["owner"]?["name"]?.string == "acme")
    #expect(app["app_secret"]?.string?.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
    let again = server.ask("POST", "/v0.1/apps", body: Array(#"{"name":"Gull"}"#.utf8))
    #expect(again?.status == 409)
    func add(_ name: String, shown: String) throws -> (status: Int, app: JSONValue) {
      let body = #"{"name":"\#(name)","display_name":"\#(shown)","os":"iOS"}"#
      let answer = try #require(server.ask("POST", "/v0.1/apps", body: Array(body.utf8)))
      return (answer.status, try JSONDocument.parse(ByteView(answer.body)).value)
    }
    let heron = try add("Heron", shown: "Heron <b>& Söhne")
    #expect(heron.status == 201 && heron.app["name"]?.string == "Heron")
    #expect(heron.app["display_name"]?.string == "Heron <b>& Söhne")
    let shown = server.json("/v0.1/apps/acme/Heron")
    #expect(shown["display_name"]?.string == "Heron <b>& Söhne")
    #expect(server.json("/v0.1/apps/acme/Gull")["display_name"]?.string == "Gull")
    for name in ["", " ", #"a\u0000b"#, String(repeating: "x", count: 129)] {
      #expect(try add("Egret", shown: name).status == 400, "\(name)")
    }
    #expect(server.ask("GET", "/v0.1/apps/acme/Egret")?.status == 404)
  }
}
