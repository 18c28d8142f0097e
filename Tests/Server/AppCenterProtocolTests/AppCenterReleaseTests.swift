import Bytes
import CrashStore
import Glibc
import JSON
import TestSupport
import Testing
import Updates

@testable import ProgramSupport

/// Releases as App Center's command line client, fastlane and copied scripts upload and publish them: their
/// requests, step by step, and how they use the answers.
@Suite("App Center's releases", .serialized)
struct AppCenterReleaseTests {
  private let folder = ScratchFolder()
  private static let ipa = Samples.root + "/Artefacts/Tern-1.0.0.ipa"
  private static let base = "/v0.1/apps/acme/Tern"

  private func server(_ options: [String] = []) throws -> RunningServer {
    let home = folder.path("home")
    #expect(Run(["apps", "add", "Tern", "--home", home]).status == 0)
    return try #require(RunningServer(home: home, options: options))
  }

  private func token(_ server: RunningServer) throws -> String {
    let body = #"{"label":"CI","scopes":["releases"]}"#
    let made = try #require(server.ask("POST", "/api/v1/tokens", body: Array(body.utf8)))
    return try #require(JSONDocument.parse(ByteView(made.body)).value["token"]?.string)
  }

  /// One client of the API.
  private struct Client {
    let server: RunningServer
    let token: String

    func ask(
      _ method: String, _ path: String, _ body: [UInt8]? = nil, type: String? = "application/json"
    ) throws -> WebClient.Answer {
      var headers = ["X-API-Token: \(token)", "accept: application/json"]
      if let type { headers.append("Content-Type: \(type)") }
      return try #require(server.ask(method, path, token: "", headers: headers, body: body))
    }

    func json(
      _ method: String, _ path: String, _ body: String? = nil, status: Int = 200
    ) throws -> JSONValue {
      let answer = try ask(method, path, body.map { Array($0.utf8) })
      #expect(answer.status == status, "\(method) \(path): \(answer.status) \(answer.text)")
      #expect(answer.headers["content-type"]?.hasPrefix("application/json") == true)
      return try JSONDocument.parse(ByteView(answer.body)).value
    }
  }

  /// The parts of the announcement that a client keeps.
  private struct Announced {
    let id: String
    let asset: String
    /// The path without scheme, host and port.
    let domain: String
    let token: String

    init(_ value: JSONValue) throws {
      id = try #require(value["id"]?.string)
      asset = try #require(value["package_asset_id"]?.string)
      let domain = try #require(value["upload_domain"]?.string)
      self.domain = "/" + domain.split(separator: "/").dropFirst(2).joined(separator: "/")
      token = try #require(value["url_encoded_token"]?.string)
      #expect(value["statusCode"] == nil)
    }
  }

  /// Random bytes that no reader parses: more than one chunk.
  private func largeFile() -> [UInt8] {
    (0..<(4 << 20) + 12_345).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
  }

  @Test("The command line client uploads in any order, resends what is missing, and publishes")
  func commandLine() throws {
    let server = try server()
    let client = Client(server: server, token: try token(server))
    let group = try client.json(
      "POST", Self.base + "/distribution_groups", #"{"name":"Beta testers"}"#, status: 201)
    let bytes = largeFile()

    // distribute release: members of the group first, of which only the number counts.
    let members = Self.base + "/distribution_groups/Beta%20testers/members"
    #expect(try client.json("GET", members).array?.isEmpty == true)
    let announced = try Announced(
      client.json(
        "POST", Self.base + "/uploads/releases",
        #"{"build_version":"1.2","build_number":"34"}"#, status: 201))
    let metadata = try client.json(
      "POST",
      announced.domain + "/upload/set_metadata/\(announced.asset)?file_name=tern.dmg"
        + "&file_size=\(bytes.count)&token=\(announced.token)&content_type=application/octet-stream"
    )
    #expect(metadata["error"]?.bool == false)
    let size = try #require(metadata["chunk_size"]?.integer)
    let numbers = try #require(metadata["chunk_list"]?.array).compactMap(\.integer)
    #expect(numbers == [1, 2])

    func send(_ number: Int) throws {
      let start = (number - 1) * size
      let chunk = Array(bytes[start..<min(start + size, bytes.count)])
      let answer = try client.ask(
        "POST",
        announced.domain
          + "/upload/upload_chunk/\(announced.asset)?token=\(announced.token)&block_number=\(number)",
        chunk, type: "application/octet-stream")
      let value = try JSONDocument.parse(ByteView(answer.body)).value
      #expect(value["error"]?.bool == false && value["chunk_num"]?.integer == number)
    }
    func finish() throws -> JSONValue {
      try client.json(
        "POST", announced.domain + "/upload/finished/\(announced.asset)?token=\(announced.token)")
    }

    try send(2)
    #expect(try finish()["missing_chunks"]?.array?.compactMap(\.integer) == [1])
    try send(1)
    try send(1)
    #expect(try finish()["state"]?.string == "Done")
    #expect(try finish()["state"]?.string == "Done", "a client that heard nothing asks again")
    // The file is as announced.
    for (path, body) in [
      ("set_metadata/\(announced.asset)?file_name=b.zip&file_size=4000000000&", []),
      ("upload_chunk/\(announced.asset)?block_number=1&", Array(bytes[..<size])),
    ] {
      let answer = try client.ask(
        "POST", announced.domain + "/upload/" + path + "token=\(announced.token)", body,
        type: "application/octet-stream")
      #expect(answer.status == 409, "\(answer.text)")
    }

    let upload = Self.base + "/uploads/releases/\(announced.id)"
    #expect(
      try client.json("GET", upload)["upload_status"]?.string == "uploadStarted")
    let patched = try client.json("PATCH", upload, #"{"upload_status":"uploadFinished"}"#)
    #expect(patched["upload_status"]?.string == "uploadFinished")
    var number: Int?
    _ = RunningMayday.wait {
      let value = try? client.json("GET", upload)
      number = value?["release_distinct_id"]?.integer
      return value?["upload_status"]?.string == "readyToBePublished"
    }
    let release = try #require(number)
    #expect(release == 1)

    #expect(
      try client.json(
        "PUT", Self.base + "/releases/\(release)", #"{"release_notes":"Fixes."}"#)["release_notes"]?
        .string == "Fixes.")
    let found = try client.json("GET", Self.base + "/distribution_groups/Beta%20testers")
    #expect(found["id"]?.string == group["id"]?.string)
    let id = try #require(found["id"]?.string)
    let published = try client.json(
      "POST", Self.base + "/releases/\(release)/groups",
      #"{"id":"\#(id)","mandatory_update":true,"notify_testers":true}"#, status: 201)
    #expect(published["mandatory_update"]?.bool == true)
    let shown = try client.json("GET", Self.base + "/releases/\(release)")
    #expect(shown["short_version"]?.string == "1.2" && shown["version"]?.string == "34")
    #expect(shown["size"]?.integer == bytes.count)

    // distribute groups download: the newest release of the group, then the file.
    let latest = try client.json(
      "GET", Self.base + "/distribution_groups/Beta%20testers/releases/latest")
    let address = try #require(latest["download_url"]?.string)
    #expect(address.contains("/tern.dmg"))
    let path = "/" + address.split(separator: "/").dropFirst(2).joined(separator: "/")
    let file = try #require(server.ask("GET", path, token: ""))
    #expect(file.status == 200 && file.body == bytes)

    // A token of another app, and a revoked one, cannot use an address they were given.
    let other = try Client(server: server, token: token(server))
    let further = try Announced(
      other.json("POST", Self.base + "/uploads/releases", "{}", status: 201))
    let theirs = try #require(
      other.json("GET", Self.base + "/releases/\(release)")["download_url"]?.string)
    let their = "/" + theirs.split(separator: "/").dropFirst(2).joined(separator: "/")
    #expect(server.ask("GET", their, token: "")?.status == 200)
    let id2 = try #require(other.token.split(separator: "_").dropFirst().first)
    #expect(server.ask("DELETE", "/api/v1/tokens/\(id2)")?.status == 204)
    #expect(server.ask("GET", their, token: "")?.status == 403)
    #expect(
      server.ask("GET", their.replacing("api-\(id2)", with: "api-0"), token: "")?.status == 403)
    #expect(server.ask("GET", path, token: "")?.status == 200)
    // Nor can they continue an upload they began.
    let late = try client.ask(
      "POST",
      further.domain + "/upload/set_metadata/\(further.asset)?file_name=a.zip&file_size=9"
        + "&token=\(further.token)")
    #expect(late.status == 401, "\(late.text)")
    HomeCare.expectWhole(server.home)
  }

  @Test("fastlane's steps: chunks in order, exact types, the id in the body")
  func fastlane() throws {
    let server = try server()
    let client = Client(server: server, token: try token(server))
    let bytes = try ByteView(mapping: Self.ipa).array
    #expect(try client.json("GET", Self.base)["name"]?.string == "Tern")
    let announced = try Announced(
      client.json("POST", Self.base + "/uploads/releases", "{}", status: 201))
    let metadata = try client.json(
      "POST",
      announced.domain + "/upload/set_metadata/\(announced.asset)?file_name=Tern.ipa"
        + "&file_size=\(bytes.count)&token=\(announced.token)"
        + "&content_type=application/octet-stream")
    #expect(metadata["chunk_size"]?.integer == 4 << 20)
    let sent = try client.ask(
      "POST",
      announced.domain
        + "/upload/upload_chunk/\(announced.asset)?token=\(announced.token)&block_number=1", bytes,
      type: "application/octet-stream")
    #expect(sent.text.contains(#""error":false"#))
    #expect(
      try client.json(
        "POST", announced.domain + "/upload/finished/\(announced.asset)?token=\(announced.token)")[
          "error"]?.bool == false)
    let upload = Self.base + "/uploads/releases/\(announced.id)"
    _ = try client.json(
      "PATCH", upload, #"{"upload_status":"uploadFinished","id":"\#(announced.id)"}"#)
    #expect(
      RunningMayday.wait {
        (try? client.json("GET", upload))?["release_distinct_id"]?.integer != nil
      })
    let release = try client.json("GET", Self.base + "/releases/latest")
    #expect(release["short_version"]?.string == "1.0.0")
    #expect(release["bundle_identifier"]?.string == "com.example.tern")
    #expect(
      release["package_hashes"]?.array?.compactMap(\.string)
        == ["972efa66a3d43daeceba26e158d9ab7ed76f7e2c8a5523bbea687bdf68240637"])
    // `*` means all groups.
    #expect(try client.json("GET", Self.base + "/distribution_groups").array?.count == 1)
  }

  @Test("The documented recipe for curl: ignored bodies, one query, names of groups")
  func recipe() throws {
    let server = try server()
    let client = Client(server: server, token: try token(server))
    let bytes = try ByteView(mapping: Self.ipa).array
    // Content-Type with no body at all.
    let announced = try Announced(
      client.json("POST", Self.base + "/uploads/releases", "", status: 201))
    _ = try client.json(
      "POST",
      announced.domain + "/upload/set_metadata/\(announced.asset)?file_name=Tern.ipa"
        + "&file_size=\(bytes.count)&token=\(announced.token)"
        + "&content_type=application/octet-stream", "POST")
    _ = try client.ask(
      "POST",
      announced.domain
        + "/upload/upload_chunk/\(announced.asset)?token=\(announced.token)&block_number=1", bytes,
      type: "application/octet-stream")
    _ = try client.json(
      "POST", announced.domain + "/upload/finished/\(announced.asset)?token=\(announced.token)",
      "POST")
    let upload = Self.base + "/uploads/releases/\(announced.id)"
    _ = try client.json("PATCH", upload, #"{"upload_status":"uploadFinished","id":"$ID"}"#)
    // The script asks once and gives up on null.
    let state = try client.json("GET", upload)
    let release = try #require(state["release_distinct_id"]?.integer)
    _ = try client.json(
      "PATCH", Self.base + "/releases/\(release)",
      #"{"destinations":[{"name":"Collaborators"}],"notify_testers":true}"#)
    let groups = try client.json("GET", Self.base + "/releases/\(release)")["destinations"]
    #expect(groups?.array?.first?["name"]?.string == "Collaborators")
    // An unknown group: nothing is published, not even in part.
    let failed = try client.ask(
      "PATCH", Self.base + "/releases/\(release)",
      Array(#"{"destinations":[{"name":"Nobody"}],"release_notes":"Half."}"#.utf8))
    #expect(failed.status == 404)
    #expect(failed.text.contains(#""code":"not_found""#))
    #expect(
      try client.json("GET", Self.base + "/releases/\(release)")["release_notes"]?.string != "Half."
    )
  }

  @Test("Clients before 2.6 send one form, and get the release in the response to the commit")
  func form() throws {
    let server = try server()
    let client = Client(server: server, token: try token(server))
    let bytes = try ByteView(mapping: Self.ipa).array
    let begun = try client.json("POST", Self.base + "/release_uploads", "", status: 201)
    let id = try #require(begun["upload_id"]?.string)
    let address = try #require(begun["upload_url"]?.string)
    let path = "/" + address.split(separator: "/").dropFirst(2).joined(separator: "/")
    var form = Array(
      "------mayday7f\r\nContent-Disposition: form-data; name=\"ipa\"; filename=\"Tern.ipa\"\r\n\r\n"
        .utf8)
    form += bytes + Array("\r\n------mayday7f--\r\n".utf8)
    let sent = try #require(
      server.ask(
        "POST", path, token: "",
        headers: ["Content-Type: multipart/form-data; boundary=----mayday7f"],
        body: form))
    #expect(sent.status == 200)
    let committed = try client.json(
      "PATCH", Self.base + "/release_uploads/\(id)", #"{"status":"committed"}"#)
    #expect(committed["release_id"]?.string == "1")
    #expect(committed["release_url"]?.string?.split(separator: "/").last == "1")
  }

  @Test("Mistakes are reported: tokens, numbers, sizes, a file that is not an app")
  func refusals() throws {
    let server = try server()
    let client = Client(server: server, token: try token(server))
    let announced = try Announced(
      client.json("POST", Self.base + "/uploads/releases", "{}", status: 201))
    let metadata = announced.domain + "/upload/set_metadata/\(announced.asset)"
    let right = "&token=\(announced.token)"
    for (query, status) in [
      ("?file_name=a.ipa&file_size=9&token=wrong", 401), ("?file_size=9" + right, 400),
      ("?file_name=a.ipa&file_size=-1" + right, 400),
      ("?file_name=a.ipa&file_size=9223372036854775808" + right, 400),
      ("?file_name=a.ipa&file_size=5000000000" + right, 413),
      ("?file_name=../../a.ipa&file_size=9" + right, 200),
    ] {
      #expect(try client.ask("POST", metadata + query).status == status, "\(query)")
    }
    let chunk =
      announced.domain + "/upload/upload_chunk/\(announced.asset)?token=\(announced.token)"
    for (query, body, status) in [
      ("&block_number=0", "123456789", 400), ("&block_number=2", "123456789", 400),
      ("&block_number=1", "1234", 400), ("", "123456789", 400),
      ("&block_number=1", "123456789", 200),
    ] {
      #expect(
        try client.ask("POST", chunk + query, Array(body.utf8), type: "application/octet-stream")
          .status == status, "\(query)")
    }
    _ = try client.json(
      "POST", announced.domain + "/upload/finished/\(announced.asset)?token=\(announced.token)")
    let upload = Self.base + "/uploads/releases/\(announced.id)"
    _ = try client.json("PATCH", upload, #"{"upload_status":"uploadFinished"}"#)
    var details: String?
    #expect(
      RunningMayday.wait {
        let value = try? client.json("GET", upload)
        details = value?["error_details"]?.string
        return value?["upload_status"]?.string == "error"
      })
    #expect(details?.contains("a.ipa") == true, "\(details ?? "")")
    #expect(try client.json("GET", Self.base + "/releases").array?.isEmpty == true)

    #expect(try client.ask("GET", Self.base + "/releases/7").status == 404)
    #expect(try client.ask("GET", Self.base + "/releases/x").status == 400)
    #expect(
      try client.ask(
        "POST", Self.base + "/distribution_groups", Array(#"{"name":"Collaborators"}"#.utf8)
      ).status == 409)
    #expect(
      try client.ask("DELETE", Self.base + "/distribution_groups/Collaborators").status == 409)
    #expect(try client.ask("GET", Self.base + "/distribution_stores/Play").status == 404)
    let devices = "/devices/download_devices_list"
    let list = try client.ask("GET", Self.base + "/distribution_groups/Collaborators" + devices)
    #expect(list.status == 200 && list.text == "Device ID\tDevice Name\n")
    #expect(list.headers["content-type"]?.hasPrefix("text/csv") == true)
    #expect(
      try client.ask("GET", Self.base + "/distribution_groups/Nope" + devices).status == 404)
  }

  @Test("Publishing a file that reaches no client is answered with the reason")
  func warnings() throws {
    let server = try server()
    let client = Client(server: server, token: try token(server))
    let store = try CrashStore(opening: folder.path("home"))
    for kind in [ArtefactKind.apk, .aab] {
      var package = AppPackage(kind)
      (package.version, package.build) = ("1.0.0", "1")
      _ = try store.distribution.add(
        ByteView(kind.rawValue.utf8), named: "tern.\(kind.rawValue)", package: package,
        to: "Tern", by: "ci")
    }
    let body = #"{"destinations":[{"name":"Collaborators"}]}"#
    #expect(try client.json("PATCH", Self.base + "/releases/1", body)["warnings"] == nil)
    let patched = try client.json("PATCH", Self.base + "/releases/2", body)
    #expect(patched["warnings"]?[0]?.string?.contains("only stores install from an .aab") == true)
    let id = try store.distribution.group("Collaborators", of: "Tern").id
    let added = try client.json(
      "POST", Self.base + "/releases/2/groups", #"{"id":"\#(id)"}"#, status: 201)
    #expect(added["warnings"] == patched["warnings"] && added["id"]?.string == id)
  }

  @Test("Members are invited and removed one by one, each with its outcome")
  func members() throws {
    let server = try server()
    let client = Client(server: server, token: try token(server))
    let members = Self.base + "/distribution_groups/Collaborators/members"
    let invited = try client.json(
      "POST", members, #"{"user_emails":["ada@example.org","nobody"]}"#)
    #expect(invited.array?.compactMap { $0["status"]?.integer } == [200, 400])
    #expect(invited.array?.first?["invite_pending"]?.bool == true)
    #expect(invited.array?.first?["message"]?.string?.contains("/install/invitations/") == true)
    #expect(try client.json("GET", members).array?.count == 1)
    let link = try #require(invited.array?.first?["message"]?.string)
    let path = "/" + link.split(separator: "/").dropFirst(2).joined(separator: "/")
    #expect(server.ask("GET", path, token: "")?.status == 200)
    let resent = try client.ask(
      "POST", Self.base + "/distribution_groups/Collaborators/resend_invite",
      Array(#"{"user_emails":["Ada@example.org"]}"#.utf8))
    #expect(resent.status == 204)
    #expect(server.ask("GET", path, token: "")?.status == 404, "the first invitation has ended")
    let stranger = try client.ask(
      "POST", Self.base + "/distribution_groups/Collaborators/resend_invite",
      Array(#"{"user_emails":["eve@example.org"]}"#.utf8))
    #expect(stranger.status == 404)
    #expect(
      try client.json("GET", members + "?exclude_pending_invitations=true").array?.isEmpty == true)
    let removed = try client.json(
      "POST", members + "/bulk_delete", #"{"user_emails":["ada@example.org"]}"#)
    #expect(removed.array?.first?["status"]?.integer == 200)
    #expect(try client.json("GET", members).array?.isEmpty == true)
    #expect(try client.json("GET", Self.base + "/testers").array?.count == 1)
  }

  @Test("A server that is killed between commit and analysis continues, and makes one release")
  func killed() throws {
    var server = try server()
    let token = try token(server)
    let bytes = try ByteView(mapping: Self.ipa).array
    var client = Client(server: server, token: token)
    let announced = try Announced(
      client.json("POST", Self.base + "/uploads/releases", "{}", status: 201))
    _ = try client.json(
      "POST",
      announced.domain + "/upload/set_metadata/\(announced.asset)?file_name=Tern.ipa"
        + "&file_size=\(bytes.count)&token=\(announced.token)")
    _ = try client.ask(
      "POST",
      announced.domain
        + "/upload/upload_chunk/\(announced.asset)?token=\(announced.token)&block_number=1", bytes,
      type: "application/octet-stream")
    _ = try client.json(
      "POST", announced.domain + "/upload/finished/\(announced.asset)?token=\(announced.token)")
    let upload = Self.base + "/uploads/releases/\(announced.id)"
    _ = try client.json("PATCH", upload, #"{"upload_status":"uploadFinished"}"#)
    server.stop(SIGKILL)
    server = try #require(RunningServer(home: server.home, token: server.token))
    client = Client(server: server, token: token)
    #expect(
      RunningMayday.wait {
        (try? client.json("GET", upload))?["upload_status"]?.string == "readyToBePublished"
      })
    #expect(try client.json("GET", Self.base + "/releases").array?.count == 1)
  }

  @Test(
    "Two uploads of one release at once make two files of it, whole and with numbers of their own")
  func atOnce() throws {
    let server = try server()
    let client = Client(server: server, token: try token(server))
    let bytes = try ByteView(mapping: Self.ipa).array
    let announced = try (0..<2).map { _ in
      try Announced(client.json("POST", Self.base + "/uploads/releases", "{}", status: 201))
    }
    for upload in announced {
      _ = try client.json(
        "POST",
        upload.domain + "/upload/set_metadata/\(upload.asset)?file_name=Tern.ipa"
          + "&file_size=\(bytes.count)&token=\(upload.token)")
    }
    for upload in announced {
      _ = try client.ask(
        "POST",
        upload.domain + "/upload/upload_chunk/\(upload.asset)?token=\(upload.token)&block_number=1",
        bytes, type: "application/octet-stream")
    }
    for upload in announced {
      _ = try client.json(
        "POST", upload.domain + "/upload/finished/\(upload.asset)?token=\(upload.token)")
      _ = try client.json(
        "PATCH", Self.base + "/uploads/releases/\(upload.id)",
        #"{"upload_status":"uploadFinished"}"#)
    }
    let numbers = try announced.map { upload -> Int? in
      try client.json("GET", Self.base + "/uploads/releases/\(upload.id)")["release_distinct_id"]?
        .integer
    }
    #expect(Set(numbers) == [1, 2])
    let releases = try client.json("GET", Self.base + "/releases").array ?? []
    #expect(releases.compactMap { $0["short_version"]?.string } == ["1.0.0", "1.0.0"])
    #expect(releases.allSatisfy { $0["destinations"]?.array?.isEmpty == true })
  }

  @Test("A truncated chunk or file is rejected, and nothing of it is stored")
  func cutOff() throws {
    let server = try server()
    let token = try token(server)
    let client = Client(server: server, token: token)
    let announced = try Announced(
      client.json("POST", Self.base + "/uploads/releases", "{}", status: 201))
    _ = try client.json(
      "POST",
      announced.domain + "/upload/set_metadata/\(announced.asset)?file_name=Tern.ipa"
        + "&file_size=100&token=\(announced.token)")
    for path in [
      announced.domain
        + "/upload/upload_chunk/\(announced.asset)?token=\(announced.token)&block_number=1",
      "/api/v1/artefacts?app=Tern&name=Tern.ipa",
    ] {
      do {
        let cut = WebClient(port: server.port)
        #expect(
          cut.send(
            "POST \(path) HTTP/1.1\r\nHost: localhost\r\nX-API-Token: \(token)\r\n"
              + "Content-Type: application/octet-stream\r\nContent-Length: 100\r\n\r\nPK"))
      }
    }
    let finished = try client.json(
      "POST", announced.domain + "/upload/finished/\(announced.asset)?token=\(announced.token)")
    #expect(finished["missing_chunks"]?.array?.compactMap(\.integer) == [1])
    #expect(try client.json("GET", Self.base + "/releases").array?.isEmpty == true)
  }
}
