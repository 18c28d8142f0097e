import Bytes
import CrashStore
import HTTP
import JSON
import ServerStore
import TestSupport
import Testing

@testable import MaydayCommands

/// Source of the form: the OpenAPI Specification 3.1.0.
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
    let service = try Service(
      home: home, store: try CrashStore(opening: home), limits: IntakeLimits(), rate: 0,
      unknownApps: .keep)
    let served = ServerRoutes.router(of: service).routes.filter { route in
      route.pattern.hasPrefix("/api/v1/")
        || ["/healthz", "/readyz", "/metrics"].contains(route.pattern)
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

  @Test("What it refers to is there, and names are given once")
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
    let names = APIOperation.all.map(\.name)
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
}
