import Documents
import Glibc
import TestSupport
import Testing

@testable import APIDocuments
@testable import HTTP
@testable import MaydayCommands
@testable import ServerAPI
@testable import ServerCore

/// The tables in docs/reference/routes.md and api.md are what the routes and the problems declare.
@Suite("The tables of routes and problems", .serialized) struct RouteTableTests {
  @Test("docs/reference/routes.md has every route with its scope, its limit and what it does")
  func table() throws { try check(Self.rows, between: "routes", in: "docs/reference/routes.md") }

  @Test("docs/reference/api.md has every code of a problem")
  func problems() throws {
    let rows = ProblemCode.allCases.map { "| `\($0.rawValue)` | \($0.meaning.dropLast()) |" }
    try check(
      ["| code | meaning |", "|---|---|"] + rows, between: "problems", in: "docs/reference/api.md")
  }

  private func check(_ rows: [String], between name: String, in page: String) throws {
    var lines = try DocumentationPage(page).lines
    let start = try #require(lines.firstIndex(of: "<!-- \(name) -->"))
    let end = try #require(lines.firstIndex(of: "<!-- end of \(name) -->"))
    if GoldenFolder.isRenewing {
      lines.replaceSubrange(start + 1..<end, with: rows)
      let file = try #require(fopen("\(Samples.root)/\(page)", "w"))
      defer { fclose(file) }
      try #require(fputs(lines.joined(separator: "\n"), file) >= 0)
    } else {
      #expect(Array(lines[start + 1..<end]) == rows)
    }
  }

  private static var rows: [String] {
    ["| method and path | scope | body | what |", "|---|---|---|---|"]
      + APIRoute.all.map { route in
        let path = route.pattern.split(separator: "/").map {
          $0.hasPrefix(":") ? $0.dropFirst().uppercased() : String($0)
        }
        return "| `\(route.method) /\(path.joined(separator: "/"))` | \(scope(of: route))"
          + " | \(limit(of: route)) | \(route.summary.dropLast()) |"
      }
  }

  private static func scope(of route: APIRoute) -> String {
    route.access.text + (route.access.takesAppKeys ? ", or an app's key" : "")
      + (route.access.isOfAllApps && route.access != .admin ? ", of all apps" : "")
  }

  private static func limit(of route: APIRoute) -> String {
    guard let body = route.input?.body else { return "" }
    return switch body.limit {
    case (1 << 30)...: "\(body.limit >> 30) GiB"
    case (1 << 20)...: "\(body.limit >> 20) MiB"
    default: "\(body.limit >> 10) KiB"
    }
  }
}
