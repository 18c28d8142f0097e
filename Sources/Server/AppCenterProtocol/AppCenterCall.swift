internal import Bytes
package import CrashService
package import CrashStore
internal import Crypto
package import HTTP
package import JSON
internal import Query
package import ReportDocument
package import ServerCore
package import ServerStore
package import TriageModel

/// A request to App Center's REST API: its caller, app and parameters.
package struct AppCenterCall {
  package let context: ServerContext
  package let request: Request
  package let caller: Access.Caller
  package let app: String
  package let family: AppCenterFamily
  /// The parts of reports that the caller's role does not see.
  package let withholding: Withholding

  package var store: CrashStore { context.store }

  // MARK: Answering

  /// Returns an authorization whose refusals have the format of `family`.
  ///
  /// - Parameter scopes: The scopes of which the token needs one.
  package static func authorization(
    _ scopes: [TokenScope], _ family: AppCenterFamily = .errors, of context: ServerContext
  ) -> Route.Authorization {
    { head in
      guard case .failure(let refused) = try context.access.caller(of: head, oneOf: scopes) else {
        return nil
      }
      return refusal(refused.response, scopes, family)
    }
  }

  private static func refusal(
    _ response: Response, _ scopes: [TokenScope], _ family: AppCenterFamily
  ) -> Response {
    var headers = Headers()
    headers["WWW-Authenticate"] = response.headers["WWW-Authenticate"]
    let words = scopes.map(\.rawValue).joined(separator: " or ")
    return family.refusal(
      response.status, "X-API-Token must be a token that may \(words)", headers: headers)
  }

  /// Returns the response of `body`, or its refusals in the format of `family`.
  package static func answer(
    _ request: Request, _ scopes: [TokenScope], _ family: AppCenterFamily = .errors,
    of context: ServerContext, _ body: (AppCenterCall) throws -> Response
  ) throws -> Response {
    do {
      let caller: Access.Caller
      switch try context.access.caller(of: request.head, oneOf: scopes) {
      case .success(let found): caller = found
      case .failure(let refused): return refusal(refused.response, scopes, family)
      }
      let app = request.parameters["app"] ?? ""
      // A token for one app must not reveal which others exist.
      let isOwn = caller.app == nil || request.parameters["app"] == nil || caller.app == app
      guard isOwn,
        try !family.needsApp || context.store.apps.contains(named: app)
      else { throw StoreError.notFound(app) }
      return try body(
        AppCenterCall(
          context: context, request: request, caller: caller, app: app, family: family,
          withholding: context.withholding(from: caller.role)))
    } catch let error as QueryError {
      return family.refusal(.badRequest, "\(error)")
    } catch let error as ServiceError where error.isAboutRole {
      return family.refusal(.forbidden, error.message)
    } catch let error as StoreError {
      switch error {
      case .notFound, .unknownApp: return family.refusal(.notFound, "\(error)")
      case .ambiguous: return family.refusal(.conflict, "\(error)")
      case .damagedBlob, .damaged: return failure(error, request, family)
      default: return family.refusal(.badRequest, "\(error)")
      }
    } catch let error as ActionError {
      return family.refusal(.conflict, "\(error)")
    } catch let error as DistributionError {
      switch error {
      case .noSuchArtefact, .noSuchGroup, .noSuchTester:
        return family.refusal(.notFound, "\(error)")
      case .groupExists, .cannotRemove: return family.refusal(.conflict, "\(error)")
      default: return family.refusal(.badRequest, "\(error)")
      }
    } catch HTTPError.problem(let problem) {
      return family.refusal(problem.status, problem.detail)
    } catch {
      return failure(error, request, family)
    }
  }

  /// Returns a response for a server error, whose details go to the log only.
  private static func failure(
    _ error: any Error, _ request: Request, _ family: AppCenterFamily
  ) -> Response {
    StorageFailureResponse.note(error, request.id)
    if let text = StorageFailureResponse.text(for: error) {
      return family.refusal(.serviceUnavailable, text, headers: ["Retry-After": "5"])
    }
    return family.refusal(.internalServerError, "the server failed; see \(request.id) in its log")
  }

  package func note(_ action: String, _ subject: String) throws {
    try context.audit.note(
      .init(
        time: .now, token: caller.id, label: caller.label, action: action, subject: subject,
        peer: request.peer))
  }

  // MARK: Objects named by the path

  /// Returns the group named by the path, if it belongs to the app.
  package func group() throws -> GroupSummary {
    let id = request.parameters["group"] ?? ""
    let group = try store.groups.get(id)
    guard group.app == app else { throw StoreError.notFound(id) }
    return group
  }

  /// Returns the report named by the path, if it belongs to the app, and to the group if the path names one.
  package func report() throws -> ReportRecord {
    let id = request.parameters["report"] ?? ""
    let report = try store.reports.get(id)
    guard report.summary.app == app else { throw StoreError.notFound(id) }
    if request.parameters["group"] != nil, report.summary.group != (try group()).id {
      throw StoreError.notFound(id)
    }
    return report
  }

  /// Returns what the caller's role sees of a report.
  package func stored(_ record: ReportRecord) throws -> StoredReport {
    withholding.applied(to: try record.stored(), of: record.summary.app)
  }

  /// - Throws: `ServiceError` if a part of the app's reports is hidden from the caller's role.
  package func check(_ part: ReportProtection.Part) throws {
    try withholding.check(part, of: [app])
  }

  // MARK: Responses

  /// A page of a list, with the address of the next one.
  package func list(
    next: String?, _ write: (inout JSONWriter) throws -> Void
  ) throws -> Response {
    try .document { writer in
      writer.beginObject()
      writer.member("nextLink", nextLink(next))
      try write(&writer)
      writer.endObject()
    }
  }

  /// Writes the results of a search, and whether there are more.
  package func found(
    isMore: Bool, _ write: (inout JSONWriter) throws -> Void
  ) throws -> Response {
    try .document { writer in
      writer.beginObject()
      writer.member("hasMoreResults", isMore)
      try write(&writer)
      writer.endObject()
    }
  }

  // MARK: Addresses

  /// Returns an address on this server.
  package func address(_ path: [String]) -> String {
    request.head.address(of: "/" + path.map(\.inAddress).joined(separator: "/"))
  }

  /// Returns the address of the page that starts after a position in the list.
  package func nextLink(_ position: String?) -> String? {
    guard let position else { return nil }
    var items = request.query.items.filter { $0.name != Self.skipToken }.map { ($0.name, $0.value) }
    items.append((Self.skipToken, position))
    return address(request.segments) + "?"
      + items.map { $0.0.inAddress + "=" + $0.1.inAddress }.joined(separator: "&")
  }

  /// The parameter with the position at which a list continues.
  package static let skipToken = "$skiptoken"

  /// Returns a UUID for an object that has only a name; always the same for one name.
  package static func uuid(_ name: String) -> String {
    let digits = Array(SHA256.hex(of: ByteView(name.utf8)))
    let ends = [(0, 8), (8, 12), (12, 16), (16, 20), (20, 32)]
    return ends.map { String(digits[$0.0..<$0.1]) }.joined(separator: "-")
  }

  /// The id of the app, which stays the same when the app is renamed.
  package func appID() throws -> String { Self.uuid(try store.apps.keyName(of: app)) }

  package init(
    context: ServerContext, request: Request, caller: Access.Caller, app: String,
    family: AppCenterFamily, withholding: Withholding
  ) {
    self.withholding = withholding
    self.context = context
    self.request = request
    self.caller = caller
    self.app = app
    self.family = family
  }
}
