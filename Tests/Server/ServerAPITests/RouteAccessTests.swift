import Bytes
import CrashStore
import Documents
import HTTP
import ServerStore
import TestSupport
import Testing

@testable import APIDocuments
@testable import CrashService
@testable import MaydayCommands
@testable import ServerAPI
@testable import ServerCore

/// Every route of the API, requested with every kind of token: access is as declared.
@Suite("Access to routes") struct RouteAccessTests {
  private let folder = ScratchFolder()

  private func service() throws -> ServerContext {
    let home = folder.path("home")
    return try ServerContext(
      home: home, store: try CrashStore(opening: home), limits: IntakeLimits(), rate: 0,
      unknownApps: .keep, unknownAppLimit: 10)
  }

  /// A request that is authorized and then finds nothing, or lacks something: so nothing is changed.
  private func request(_ route: APIRoute, _ headers: Headers) -> Request {
    let path = route.pattern.split(separator: "/").map { $0.hasPrefix(":") ? "9" : String($0) }
    return Request(
      route.method, "/" + path.joined(separator: "/"), headers: headers, body: [])
  }

  @Test("Each token and key is accepted where its scope is declared, and nowhere else")
  func everybody() throws {
    let service = try service()
    try service.store.apps.add("Tern", secret: nil)
    try service.store.apps.add("Heron", secret: nil)
    let router = ServerRoutes.router(of: service, protocols: ServedProtocols.all)
    func token(_ scope: TokenScope, _ app: String? = nil) throws -> Headers {
      let (_, text) = try service.tokens.make(label: "t", scopes: [scope], app: app, now: .now)
      return ["Authorization": "Bearer \(text)"]
    }
    let tokens = try TokenScope.allCases.map { ($0, try token($0), try token($0, "Tern")) }
    let key = try #require(try service.store.apps.list().first { $0.name == "Tern" }?.intakeKey)
    let keyHeaders: Headers = ["X-App-Key": key]
    let unknown: Headers = ["Authorization": "Bearer mayday_" + String(repeating: "0", count: 43)]
    for route in APIRoute.all {
      func status(_ headers: Headers) -> Int {
        router.respond(to: request(route, headers)).status.code
      }
      func isRefused(_ headers: Headers) -> Bool { [401, 403].contains(status(headers)) }
      let isOpen = route.access == .anyone
      #expect((status([:]) == 401) == !isOpen, "\(route.name) without a token")
      #expect((status(unknown) == 401) == !isOpen, "\(route.name) with an unknown token")
      #expect(
        isRefused(keyHeaders) == !(isOpen || route.access.takesAppKeys), "\(route.name) with a key")
      for (scope, whole, ofApp) in tokens {
        let isAllowed = isOpen || scope == .admin || route.access.scopes.contains(scope)
        #expect(isRefused(whole) == !isAllowed, "\(route.name) with \(scope)")
        // A token of one app may not use routes for all apps; elsewhere it is accepted and sees its own.
        let isAllowedForApp = isAllowed && !route.access.isOfAllApps
        #expect(isRefused(ofApp) == !isAllowedForApp, "\(route.name) with \(scope) of one app")
      }
    }
  }

  @Test("Only routes that need no token are answered on network threads")
  func quick() throws {
    #expect(APIRoute.all.filter(\.isQuick).map(\.access) == [.anyone])
    for route in ServerRoutes.router(of: try service(), protocols: ServedProtocols.all).routes {
      let isFromMemory = [
        "/healthz", "/config/:file", "/config/:app/:file", "/lookup",
        "/v0.1/public/sparkle/apps/:secret",
      ].contains(route.pattern)
      #expect(!route.isQuick || isFromMemory, "\(route.pattern)")
    }
  }
}
