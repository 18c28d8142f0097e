import Bytes
import Compression
import CrashStore
import HTTP
import Identifiers
import JSON
import ServerStore
import TestSupport
import Testing

@testable import CrashService
@testable import MaydayCommands
@testable import ProgramSupport
@testable import ServerAPI
@testable import ServerCore

/// Content encodings of responses, and conditional requests.
@Suite("Conditional requests and encodings") struct ConditionTests {
  private let folder = ScratchFolder()

  private func server() throws -> (
    service: ServerContext, ask: (String, String, Headers, String) -> Response
  ) {
    let home = folder.path("home")
    let service = try ServerContext(
      home: home, store: try CrashStore(opening: home), limits: IntakeLimits(), rate: 0,
      unknownApps: .keep, unknownAppLimit: 10)
    let router = ServerRoutes.router(of: service, protocols: ServedProtocols.all)
    let token = try service.tokens.make(label: "t", scopes: [.admin], now: .now).text
    return (
      service,
      { method, path, headers, body in
        var headers = headers
        headers["Authorization"] = "Bearer \(token)"
        if !body.isEmpty { headers["Content-Type"] = "application/json" }
        return router.respond(
          to: Request(method, "/api/v1" + path, headers: headers, body: Array(body.utf8)))
      }
    )
  }

  private func bytes(_ response: Response) -> ByteView {
    if case .bytes(let bytes) = response.content { bytes } else { .empty }
  }

  // MARK: Encodings

  @Test(
    "An answer has the coding that its client likes best",
    arguments: [
      ("gzip", "gzip"), ("gzip, deflate, br", "gzip"), ("gzip, zstd", "zstd"),
      ("gzip;q=1.0, zstd;q=0.5", "gzip"), ("*", "zstd"), ("*;q=0.5, zstd;q=0", "gzip"),
      ("x-gzip", "gzip"), ("GZIP", "gzip"), ("gzip;q=0", nil), ("identity", nil),
      ("gzip;q=0.2, identity;q=0.9", nil), ("br", nil), ("gzip;q=x", nil), ("", nil), (nil, nil),
    ] as [(String?, String?)])
  func coding(accepted: String?, wanted: String?) throws {
    let ask = try server().ask
    let plain = ask("GET", "/fields", [:], "")
    var headers: Headers = [:]
    headers["Accept-Encoding"] = accepted
    let response = ask("GET", "/fields", headers, "")
    #expect(response.status == .ok && plain.headers["Content-Encoding"] == nil)
    #expect(response.headers["Content-Encoding"] == wanted)
    #expect(response.headers["Vary"] == "Accept-Encoding" && plain.headers["Vary"] != nil)
    guard let wanted else { return #expect(bytes(response).array == bytes(plain).array) }
    #expect(bytes(response).count < bytes(plain).count / 2)
    let unpacked = try ContentCoding.undo(wanted, of: bytes(response), limit: 1 << 20)
    #expect(unpacked.array == bytes(plain).array)
  }

  @Test("Each encoding has an entity tag of its own, and each of them is recognised")
  func tags() throws {
    let ask = try server().ask
    let plain = try #require(ask("GET", "/fields", [:], "").headers["ETag"])
    let packed = try #require(
      ask("GET", "/fields", ["Accept-Encoding": "gzip"], "").headers["ETag"])
    #expect(packed != plain)
    for (tag, accepted) in [(plain, ""), (packed, "gzip"), (plain, "gzip"), (packed, "")] {
      let response = ask(
        "GET", "/fields", ["If-None-Match": tag, "Accept-Encoding": accepted], "")
      #expect(response.status == .notModified && bytes(response).isEmpty, "\(tag) \(accepted)")
      if tag == packed, accepted == "gzip" { #expect(response.headers["ETag"] == packed) }
      #expect(response.headers["Vary"] == "Accept-Encoding")
    }
  }

  @Test("Short responses and bytes of reports are not compressed")
  func short() throws {
    let (service, ask) = try server()
    let short = ask("GET", "/apps", ["Accept-Encoding": "gzip"], "")
    #expect(short.headers["Content-Encoding"] == nil && short.headers["Vary"] != nil)
    _ = service
  }

  // MARK: If-Match

  private func tag(_ response: Response) throws -> String { try #require(response.headers["ETag"]) }

  @Test("A group decision applies only to the version that the client saw")
  func groups() throws {
    let home = folder.path("home")
    let sample = Samples.path("apple-ips/abort-1.0.0-macos-x86_64.ips")
    #expect(Run(["ingest", sample, "--app", "Tern", "--home", home]).status == 0)
    let ask = try server().ask
    let list = try JSONDocument.parse(bytes(ask("GET", "/groups", [:], ""))).value
    let id = try #require(list["items"]?[0]?["id"]?.string)
    let first = try tag(ask("GET", "/groups/\(id)", [:], ""))
    let noted = ask("POST", "/groups/\(id)/note", ["If-Match": first], #"{"text":"one"}"#)
    #expect(noted.status == .ok)
    let second = try tag(noted)
    let present = try tag(ask("GET", "/groups/\(id)", [:], ""))
    #expect(second != first && present == second)
    let late = ask("POST", "/groups/\(id)/resolve", ["If-Match": first], "{}")
    #expect(late.status == .preconditionFailed && late.headers["ETag"] == second)
    let problem = try JSONDocument.parse(bytes(late)).value
    #expect(problem["code"]?.string == "precondition_failed")
    #expect(try tag(ask("GET", "/groups/\(id)", [:], "")) == second)
    // A tag of a compressed response is valid, too; weak ones are not.
    let packed = try tag(ask("GET", "/groups/\(id)", ["Accept-Encoding": "zstd"], ""))
    #expect(
      ask("POST", "/groups/\(id)/resolve", ["If-Match": "W/\(second)"], "{}").status == 412)
    #expect(ask("POST", "/groups/\(id)/resolve", ["If-Match": packed], "{}").status == .ok)
    #expect(ask("POST", "/groups/\(id)/reopen", ["If-Match": "*"], "{}").status == .ok)
    #expect(ask("POST", "/groups/X-9/reopen", ["If-Match": "*"], "{}").status == 412)
  }

  @Test("Apps and the order of releases change only if they are as the client saw them")
  func apps() throws {
    let (service, ask) = try server()
    try service.store.releases.add([Release("1.0"), Release("1.1")], to: "Tern")
    let app = try tag(ask("GET", "/apps/Tern", [:], ""))
    let kept = ask("PUT", "/apps/keep", ["If-Match": app], #"{"name":"Tern","days":30}"#)
    #expect(kept.status == .ok)
    #expect(
      ask("PUT", "/apps/keep", ["If-Match": app], #"{"name":"Tern","days":40}"#).status == 412)
    let releases = try tag(ask("GET", "/releases?app=Tern", [:], ""))
    let order = #"{"app":"Tern","releases":["1.1","1.0"]}"#
    #expect(ask("PUT", "/releases/order", ["If-Match": releases], order).status == .ok)
    #expect(ask("PUT", "/releases/order", ["If-Match": releases], order).status == 412)
    #expect(ask("GET", "/apps/Heron", [:], "").status == .notFound)
    // Without a tag to compare, nothing is done.
    let made = ask("POST", "/tokens", ["If-Match": app], #"{"label":"x","scopes":["read"]}"#)
    #expect(made.status == .badRequest)
    #expect(try service.tokens.all().count == 1)
  }
}
