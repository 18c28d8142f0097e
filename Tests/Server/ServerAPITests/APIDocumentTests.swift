import Bytes
import CrashStore
import Documents
import HTTP
import JSON
import ServerStore
import TestSupport
import Testing

@testable import CrashService
@testable import MaydayCommands
@testable import ProgramSupport
@testable import ServerAPI
@testable import ServerCore

/// Source of the format: the OpenAPI Specification 3.1.0.
@Suite("The description of the API")
struct APIDocumentTests {
  private static func document() throws -> JSONValue {
    try JSONDocument.parse(ByteView(APIDocument.bytes)).value
  }

  /// `GET /api/v1/groups/{id}`, as a set.
  private static func described() throws -> [String] {
    try (document()["paths"]?.object ?? []).flatMap { path in
      (path.value.object ?? []).map { "\($0.key.uppercased()) \(path.key)" }
    }
  }

  @Test("It has every route of the API, and no other")
  func routes() throws {
    let folder = ScratchFolder()
    let home = folder.path("home")
    let service = try ServerContext(
      home: home, store: try CrashStore(opening: home), limits: IntakeLimits(), rate: 0,
      unknownApps: .keep, unknownAppLimit: 10)
    let served = ServerRoutes.router(of: service, protocols: ServedProtocols.all).routes.filter {
      route in
      route.pattern.hasPrefix("/api/v1/")
        || ["/healthz", "/readyz", "/metrics", "/mcp"].contains(route.pattern)
    }.map { route in
      let parts = route.pattern.split(separator: "/").map { part in
        part.hasPrefix(":") ? "{\(part.dropFirst())}" : String(part)
      }
      return "\(route.method) /" + parts.joined(separator: "/")
    }
    let described = try Self.described()
    #expect(served.sorted() == described.sorted())
    #expect(Set(described).count == described.count)
  }

  @Test("All references resolve, and names are unique")
  func references() throws {
    let document = try Self.document()
    var references: Set<String> = []
    func collect(_ value: JSONValue) {
      for member in value.object ?? [] {
        if member.key == "$ref", let text = member.value.string { references.insert(text) }
        collect(member.value)
      }
      for element in value.array ?? [] { collect(element) }
    }
    collect(document)
    #expect(!references.isEmpty)
    for reference in references {
      var place: JSONValue? = document
      for part in reference.split(separator: "/").dropFirst() { place = place?[String(part)] }
      #expect(place != nil, "\(reference)")
    }
    let names = APIRoute.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(document["openapi"]?.string == "3.1.0")
  }

  @Test("Every parameter of a path is described")
  func parameters() throws {
    for path in try Self.document()["paths"]?.object ?? [] {
      let wanted = path.key.split(separator: "/").filter { $0.hasPrefix("{") }.map {
        String($0.dropFirst().dropLast())
      }
      for operation in path.value.object ?? [] {
        let found = (operation.value["parameters"]?.array ?? []).filter {
          $0["in"]?.string == "path"
        }
        #expect(found.compactMap { $0["name"]?.string } == wanted, "\(path.key)")
      }
    }
  }

  @Test("The validator that finds nothing wrong does find mistakes")
  func validator() throws {
    func faults(_ text: String, _ name: String) throws -> [String] {
      CheckedDocuments.validator.faults(
        of: try JSONDocument.parse(ByteView(text.utf8)).value, named: name)
    }
    let frame = #""index":0,"inlined":false,"trust":"given""#
    #expect(try faults("{\(frame)}", "Frame").isEmpty)
    #expect(try faults("{\(frame),\"in_app\":true,\"address\":\"0x1f\"}", "Frame").isEmpty)
    for (text, place) in [
      (#"{"index":0,"inlined":false}"#, "/: trust is missing"),
      ("{\(frame),\"novel\":1}", "/novel: the schema does not have it"),
      ("{\(frame),\"line\":-1}", "/line: less than 0"),
      ("{\(frame),\"line\":\"1\"}", "/line: not integer"),
      ("{\(frame),\"line\":null}", "/line: not integer"),
      ("{\(frame),\"address\":\"0X1F\"}", "/address: does not match"),
      ("{\(frame),\"position\":\"here\"}", "/position:"),
      ("{\(frame),\"trust\":\"a\"}", "/trust: it is there twice"), ("[]", "/: not object"),
    ] {
      #expect(try faults(text, "Frame").contains { $0.hasPrefix(place) }, "\(text)")
    }
    #expect(
      try faults(#"{"frames":[{}],"inner":[]}"#, "Exception").contains { $0.hasPrefix("/frames/0") }
    )
    #expect(try faults(#"{"count":1,"bytes":1.5}"#, "Amount") == ["/bytes: not integer"])
    #expect(!CheckedDocuments.validator.faults(of: .null, named: "Novel").isEmpty)
  }

  @Test("Every report and group of the samples fits its description")
  func samples() throws {
    let folder = ScratchFolder()
    let home = folder.path("home")
    #expect(Run(["ingest", Samples.root + "/Samples", "--home", home]).status == 0)
    #expect(Run(["symbolicate", Samples.root + "/Samples", "--json"]).status == 6)
    #expect(Run(["groups", "--json", "--home", home]).status == 0)
    #expect(Run(["reports", "--ndjson", "--home", home]).status == 0)
    let server = try #require(RunningServer(home: home))
    for list in ["reports", "groups"] {
      // Each response is checked against the description on its way.
      let items = server.json("/api/v1/\(list)?limit=1000")["items"]?.array ?? []
      #expect(items.count > 20)
      for item in items {
        let id = try #require(item["id"]?.string)
        let page = server.json("/api/v1/\(list)/\(id)")
        #expect(page["id"]?.string == id)
        let app = list == "reports" ? page["store_app"] : page["report"]?["store_app"]
        #expect(app == item["app"]?["name"])
      }
    }
  }

  @Test("An undescribed parameter is refused, with a suggestion")
  func parameterNames() throws {
    let folder = ScratchFolder()
    let home = folder.path("home")
    let service = try ServerContext(
      home: home, store: try CrashStore(opening: home), limits: IntakeLimits(), rate: 0,
      unknownApps: .keep, unknownAppLimit: 10)
    let router = ServerRoutes.router(of: service, protocols: ServedProtocols.all)
    let (_, admin) = try service.tokens.make(label: "x", scopes: [.admin], now: .now)
    func detail(_ method: String, _ path: String) throws -> String? {
      let response = router.respond(
        to: Request(method, path, headers: ["Authorization": "Bearer \(admin)"]))
      guard response.status == .badRequest, case .bytes(let bytes) = response.content else {
        return nil
      }
      return try JSONDocument.parse(bytes).value["detail"]?.string
    }
    for operation in APIRoute.all {
      let path = operation.pattern.replacing(":", with: "")
      let refusal = try detail(operation.method, path + "?zzzzzzzz=1")
      #expect(refusal?.hasPrefix("no parameter 'zzzzzzzz'") == true, "\(operation.name)")
    }
    #expect(
      try detail("GET", "/api/v1/groups?qurey=x") == "no parameter 'qurey'; did you mean 'query'?")
    #expect(try detail("HEAD", "/api/v1/groups?Limit=1")?.contains("'limit'") == true)
    #expect(try detail("POST", "/api/v1/reports?ap=Tern")?.contains("did you mean 'app'?") == true)
    #expect(
      try detail("GET", "/api/v1/groups?limit=1&limit=2") == "the parameter 'limit' appears twice")
    #expect(try detail("GET", "/api/v1/groups?limit=1&query=is:open") == nil)
  }
}
