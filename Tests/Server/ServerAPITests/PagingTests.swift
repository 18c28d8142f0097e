import Bytes
import CrashStore
import HTTP
import Identifiers
import JSON
import Pipeline
import ServerStore
import TestSupport
import Testing

@testable import APIDocuments
@testable import CrashService
@testable import MaydayCommands
@testable import ProgramSupport
@testable import ServerAPI
@testable import ServerCore

/// Every list comes in pages, whose cursors stay valid while others write.
@Suite("Lists in pages") struct PagingTests {
  private let folder = ScratchFolder()

  private struct Server {
    let service: ServerContext
    let router: Router
    let token: String

    init(home: String) throws {
      service = try ServerContext(
        home: home, store: try CrashStore(opening: home), limits: IntakeLimits(), rate: 0,
        unknownApps: .keep, unknownAppLimit: 10)
      router = ServerRoutes.router(of: service, protocols: ServedProtocols.all)
      token = try service.tokens.make(label: "t", scopes: [.admin], now: .now).text
    }

    func get(_ path: String) throws -> (status: Int, body: JSONValue) {
      let response = router.respond(
        to: Request("GET", "/api/v1" + path, headers: ["Authorization": "Bearer \(token)"]))
      guard case .bytes(let bytes) = response.content else { return (0, .null) }
      return (response.status.code, try JSONDocument.parse(bytes).value)
    }

    /// All pages of a list, with an action between two of them.
    func pages(_ path: String, between: () throws -> Void = {}) throws -> [[JSONValue]] {
      var pages: [[JSONValue]] = []
      var next: String?
      repeat {
        let (status, page) = try get(path + (next.map { "&after=\($0)" } ?? ""))
        #expect(status == 200, "\(path)")
        pages.append(page["items"]?.array ?? [])
        #expect(page["total"]?.integer != nil)
        next = page["next"]?.string
        try between()
      } while next != nil && pages.count < 50
      return pages
    }
  }

  @Test("Every list of the description that is not a fixed one has limit, after and a cursor")
  func declared() {
    for route in APIRoute.all where route.name.hasPrefix("list") {
      let isWhole = [
        "listFields", "listGroupKeys", "listRelatedGroups", "listGroupsLikeReport", "listVersions",
      ]
      .contains(route.name)
      let names = route.query.map(\.name)
      #expect((names.contains("limit") && names.contains("after")) == !isWhole, "\(route.name)")
    }
  }

  @Test("Pages hold each element once, in the order of the whole list")
  func whole() throws {
    let server = try Server(home: folder.path("home"))
    for number in 0..<7 { try server.service.store.apps.add("App\(number)", secret: nil) }
    try server.service.store.releases.add(
      (1...7).map { Release("1.\($0)") }, to: "App0")
    for number in 0..<7 {
      _ = try server.service.tokens.make(label: "\(number)", scopes: [.read], now: .now)
      try server.service.audit.note(
        .init(
          time: .now, token: "t", label: "l", action: "a", subject: "\(number)", peer: "p"))
      _ = try server.service.queue.submit(
        IntakeRecord(
          route: IntakeProtocol.reports, received: .now, facts: [:],
          body: ByteView("not a report \(number)".utf8)))
    }
    for (path, count) in [
      ("/apps?", 7), ("/releases?app=App0&", 7), ("/tokens?", 8), ("/audit?", 7), ("/symbols?", 0),
      ("/symbols/missing?", 0), ("/sessions?", 7), ("/intake?", 0),
    ] {
      let all = try server.pages(path + "limit=1000")
      #expect(all.count == 1 && all[0].count == count, "\(path)")
      let parts = try server.pages(path + "limit=3")
      #expect(parts.joined().map(\.text) == all[0].map(\.text), "\(path)")
      #expect(parts.count == max(1, (count + 2) / 3), "\(path)")
    }
  }

  @Test(
    "Groups and reports are read in pages, forwards and back", arguments: ["groups", "reports"])
  func back(list: String) throws {
    let home = folder.path("home")
    #expect(Run(["ingest", Samples.path("java-trace"), "--home", home]).status == 0)
    let server = try Server(home: home)
    let all = try server.get("/\(list)").body
    #expect(all["previous"] == nil && all["next"] == nil)
    let ids = try #require(all["items"]?.array).map { $0["id"]?.string }
    #expect(ids.count > 2)
    var page = try server.get("/\(list)?limit=1").body
    #expect(page["previous"] == nil)
    for id in ids.dropFirst() {
      let next = try #require(page["next"]?.string)
      page = try server.get("/\(list)?limit=1&after=\(next)").body
      #expect(page["items"]?[0]?["id"]?.string == id)
    }
    #expect(page["next"] == nil)
    for id in ids.dropLast().reversed() {
      let previous = try #require(page["previous"]?.string)
      page = try server.get("/\(list)?limit=1&before=\(previous)").body
      #expect(page["items"]?[0]?["id"]?.string == id && page["next"] != nil)
    }
    #expect(page["previous"] == nil)
    let wrong = try server.get("/\(list)?before=x")
    #expect(wrong.status == 400 && wrong.body["code"]?.string == "invalid_cursor")
  }

  @Test("Elements added or removed between two pages neither repeat nor hide another")
  func stable() throws {
    let server = try Server(home: folder.path("home"))
    for number in 0..<9 { try server.service.store.apps.add("App\(number)", secret: nil) }
    var round = 0
    let pages = try server.pages("/apps?limit=2") {
      try server.service.store.apps.add("A\(round)", secret: nil)
      round += 1
    }
    let names = pages.joined().compactMap { $0["name"]?.string }
    #expect(names == (0..<9).map { "App\($0)" })
    var entries = 0
    for _ in 0..<6 {
      try server.service.audit.note(
        .init(time: .now, token: "t", label: "l", action: "a", subject: "\(entries)", peer: "p"))
      entries += 1
    }
    let audit = try server.pages("/audit?limit=2") {
      try server.service.audit.note(
        .init(time: .now, token: "t", label: "l", action: "a", subject: "late", peer: "p"))
    }
    #expect(
      audit.joined().compactMap { $0["subject"]?.string } == ["5", "4", "3", "2", "1", "0"])
  }

  @Test("A cursor that is damaged, of another list or of another query is refused")
  func damaged() throws {
    let server = try Server(home: folder.path("home"))
    for number in 0..<3 { try server.service.store.apps.add("App\(number)", secret: nil) }
    let next = try #require(try server.get("/apps?limit=1").body["next"]?.string)
    #expect(try server.get("/apps?limit=2&after=\(next)").status == 200)
    let cut = String(next.dropLast(2))
    for path in [
      "/apps?after=x", "/apps?after=\(cut)", "/apps?after=0\(next.dropFirst())",
      "/apps?after=\(next)00", "/tokens?after=\(next)", "/audit?after=\(next)",
      "/intake?after=5", "/releases?after=\(next)", "/symbols?after=\(next)",
      "/symbols/missing?after=\(next)", "/sessions?after=\(next)",
    ] {
      let (status, problem) = try server.get(path)
      #expect(status == 400 && problem["code"]?.string == "invalid_cursor", "\(path)")
      #expect(problem["parameter"]?.string == "after")
    }
  }

  @Test("Commands show all of a list that the server gives in pages")
  func commands() throws {
    let home = folder.path("home")
    let store = try CrashStore(opening: home)
    try store.releases.add((0..<1_203).map { Release("1.\($0)") }, to: "Tern")
    let server = try #require(RunningServer(home: home))
    let run = Run(
      ["releases", "list", "--json", "--server", "http://127.0.0.1:\(server.port)"]
        + ["--token", server.token])
    #expect(run.json.array?.count == 1_203)
  }
}

extension JSONValue {
  fileprivate var text: String {
    var writer = JSONWriter()
    writer.value(self)
    return String(decoding: writer.takeBytes(), as: UTF8.self)
  }
}
