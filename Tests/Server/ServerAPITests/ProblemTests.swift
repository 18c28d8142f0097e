import Bytes
import CrashStore
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

/// Errors for programs: RFC 9457 with a code, and the position of the mistake.
@Suite("A problem document") struct ProblemTests {
  private let folder = ScratchFolder()

  private struct Case: CustomStringConvertible {
    let method: String
    let path: String
    var body = ""
    var token = "admin"
    let status: Int
    let code: String
    var parameter: String?
    var member: String?
    var position: Int?
    var description: String { "\(method) \(path) \(body)" }
  }

  private static let cases = [
    Case(
      method: "GET", path: "/groups?query=is:open%20colour:red", status: 400, code: "invalid_query",
      parameter: "query", position: 8),
    // Characters, not bytes.
    Case(
      method: "GET", path: "/reports?query=%F0%9F%92%A5%20colour:red", status: 400,
      code: "invalid_query", parameter: "query", position: 2),
    Case(
      method: "GET", path: "/groups?qurey=x", status: 400, code: "unknown_parameter",
      parameter: "qurey"),
    Case(
      method: "GET", path: "/groups?limit=0", status: 400, code: "invalid_parameter",
      parameter: "limit"),
    Case(
      method: "GET", path: "/groups?sort=size", status: 400, code: "invalid_parameter",
      parameter: "sort"),
    Case(
      method: "GET", path: "/apps/quay/regressions?confidence=AAA", status: 400,
      code: "invalid_parameter", parameter: "confidence"),
    Case(
      method: "GET", path: "/sessions?from=2026-02-30", status: 400, code: "invalid_parameter",
      parameter: "from"),
    Case(
      method: "GET", path: "/groups/counts", status: 400, code: "invalid_parameter",
      parameter: "by"),
    Case(
      method: "GET", path: "/groups?after=x", status: 400, code: "invalid_cursor",
      parameter: "after"),
    Case(
      method: "POST", path: "/apps", body: "{\"nmae\":\"x\"}", status: 400,
      code: "invalid_document",
      member: "nmae"),
    Case(
      method: "POST", path: "/apps", body: "{\"name\":7}", status: 400, code: "invalid_document",
      member: "name"),
    Case(method: "POST", path: "/apps", body: "{", status: 400, code: "invalid_document"),
    Case(method: "POST", path: "/reports", status: 400, code: "invalid_body"),
    Case(method: "GET", path: "/groups/X-1", status: 404, code: "not_found"),
    Case(method: "GET", path: "/nothing", status: 404, code: "not_found"),
    Case(method: "DELETE", path: "/groups", status: 405, code: "method_not_allowed"),
    Case(method: "GET", path: "/groups", token: "", status: 401, code: "token_missing"),
    Case(method: "GET", path: "/groups", token: "x", status: 401, code: "token_invalid"),
    Case(method: "GET", path: "/groups", token: "ingest", status: 403, code: "scope_missing"),
    Case(method: "GET", path: "/metrics", token: "Tern", status: 403, code: "other_app"),
    Case(
      method: "POST", path: "/reports?app=Heron", body: "x", token: "Tern", status: 403,
      code: "other_app"),
    Case(
      method: "POST", path: "/reports?app=tern", body: "x", status: 409, code: "name_taken"),
  ]

  @Test("It has a code of the closed list, and names the wrong parameter or member, and where")
  func codes() throws {
    let home = folder.path("home")
    let service = try ServerContext(
      home: home, store: try CrashStore(opening: home), limits: IntakeLimits(), rate: 0,
      unknownApps: .keep, unknownAppLimit: 10)
    try service.store.apps.add("Tern", secret: nil)
    let router = ServerRoutes.router(of: service, protocols: ServedProtocols.all)
    let tokens = [
      "admin": try service.tokens.make(label: "t", scopes: [.admin], now: .now).text,
      "ingest": try service.tokens.make(label: "t", scopes: [.ingest], now: .now).text,
      "Tern": try service.tokens.make(label: "t", scopes: [.admin], app: "Tern", now: .now).text,
    ]
    for wanted in Self.cases {
      let path = (wanted.path == "/metrics" ? "" : "/api/v1") + wanted.path
      var headers: Headers = ["Content-Type": "application/json"]
      if !wanted.token.isEmpty {
        headers["Authorization"] = "Bearer \(tokens[wanted.token] ?? wanted.token)"
      }
      let response = router.respond(
        to: Request(wanted.method, path, headers: headers, body: Array(wanted.body.utf8)))
      guard case .bytes(let bytes) = response.content else {
        Issue.record("\(wanted): no document")
        continue
      }
      let problem = try JSONDocument.parse(bytes).value
      #expect(response.status.code == wanted.status, "\(wanted)")
      #expect(response.headers["Content-Type"] == "application/problem+json")
      #expect(problem["status"]?.integer == wanted.status)
      #expect(problem["code"]?.string == wanted.code, "\(wanted)")
      #expect(problem["type"]?.string == "urn:mayday:problem:\(wanted.code)")
      #expect(problem["parameter"]?.string == wanted.parameter, "\(wanted)")
      #expect(problem["member"]?.string == wanted.member, "\(wanted)")
      #expect(problem["position"]?.integer == wanted.position, "\(wanted)")
      #expect(CheckedDocuments.validator.faults(of: problem, named: "Problem").isEmpty)
    }
  }

  @Test("Each code has a title and a meaning of its own")
  func titles() {
    let codes = ProblemCode.allCases
    #expect(Set(codes.map(\.title)).count == codes.count)
    #expect(Set(codes.map(\.meaning)).count == codes.count)
    for code in codes { #expect(code.rawValue.allSatisfy { $0.isLowercase || $0 == "_" }) }
  }
}
