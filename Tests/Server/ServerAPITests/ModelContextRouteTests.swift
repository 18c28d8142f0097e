import Bytes
import CrashStore
import HTTP
import JSON
import ServerStore
import TestSupport
import Testing

@testable import CrashService
@testable import MaydayCommands
@testable import ServerAPI
@testable import ServerCore

@Suite("POST /mcp") struct ModelContextRouteTests {
  private let folder = ScratchFolder()
  private let context: ServerContext
  private let router: Router

  init() throws {
    let home = folder.path("home")
    context = try ServerContext(
      home: home, store: try CrashStore(opening: home), limits: IntakeLimits(), rate: 0,
      unknownApps: .keep, unknownAppLimit: 10)
    try context.store.apps.add("Tern", secret: nil)
    try context.store.apps.add("Heron", secret: nil)
    router = ServerRoutes.router(of: context, protocols: ServedProtocols.all)
  }

  private func ask(
    _ body: String, _ scopes: Set<TokenScope> = [.read], app: String? = nil,
    headers more: [(String, String)] = []
  ) throws -> Response {
    let (_, text) = try context.tokens.make(label: "t", scopes: scopes, app: app, now: .now)
    var headers: Headers = [
      "Authorization": "Bearer \(text)", "Content-Type": "application/json",
    ]
    for (name, value) in more { headers[name] = value }
    return router.respond(
      to: Request("POST", "/mcp", headers: headers, body: Array(body.utf8)))
  }

  private func json(_ response: Response) throws -> JSONValue {
    guard case .bytes(let bytes) = response.content else { return .null }
    return try JSONDocument.parse(bytes).value
  }

  private let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#

  private func tools(_ scopes: Set<TokenScope>, app: String? = nil) throws -> [String] {
    let answer = try json(
      ask(#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, scopes, app: app))
    return (answer["result"]?["tools"]?.array ?? []).compactMap { $0["name"]?.string }
  }

  @Test("The scopes of the token decide which tools there are")
  func scopes() throws {
    let reading = ["apps", "groups", "search", "regressions", "show", "explain"]
    #expect(Set(try tools([.read])) == Set(reading))
    #expect(Set(try tools([.symbols])) == ["missing_symbols", "lookup"])
    #expect(try tools([.symbols], app: "Tern") == ["missing_symbols"])
    #expect(try tools([.triage]) == ["resolve"])
    #expect(try tools([.admin]).count == 9)
    // A tool that is not in the list cannot be called either.
    let call =
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"resolve","arguments":{"id":"a"}}}"#
    #expect(try json(ask(call))["error"]?["code"]?.integer == -32_602)
  }

  @Test("A token of one app sees that app alone")
  func oneApp() throws {
    let call =
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"apps","arguments":{}}}"#
    func names(_ app: String?) throws -> [String?] {
      let items = try json(ask(call, app: app))["result"]?["structuredContent"]?["items"]
      return (items?.array ?? []).map { $0["name"]?.string }
    }
    #expect(try names("Tern") == ["Tern"])
    #expect(Set(try names(nil)) == ["Tern", "Heron"])
  }

  @Test("Pages of browsers and unknown versions are refused")
  func headers() throws {
    #expect(try ask(ping).status == .ok)
    for origin in ["https://evil.example", "http://127.0.0.1", "null"] {
      #expect(try ask(ping, headers: [("Origin", origin)]).status == .forbidden)
    }
    #expect(try ask(ping, headers: [("MCP-Protocol-Version", "2025-06-18")]).status == .ok)
    #expect(try ask(ping, headers: [("MCP-Protocol-Version", "1")]).status == .badRequest)
    #expect(try ask(ping, headers: [("Content-Type", "text/plain")]).status == 415)
  }

  @Test("Notifications are accepted, what is no message is refused")
  func messages() throws {
    let notification = try ask(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
    #expect(notification.status == .accepted)
    for body in ["", "{", "[]", "[\(ping)]", #"{"jsonrpc":"2.0","id":1,"result":{}}"#] {
      #expect(try ask(body).status == .badRequest, "\(body)")
    }
  }
}
