internal import CrashService
package import HTTP
internal import JSON
internal import ServerCore

/// A part of App Center's REST API: the format of its errors, and the statuses that its clients take for
/// success.
///
/// Source: the API's own schema, and the clients that were generated from it.
package enum AppCenterFamily: Sendable {
  /// `apps`, `errors`, `user`: `{"error": {"code", "message"}}`.
  case errors
  /// `symbol_uploads`, `symbols`: `{"message"}`. The operations list 400, 403 and 500, and the command line
  /// client takes any listed status for success, silently in the last step.
  case symbols
  /// `crash_groups`, `crashes`: `{"message"}`.
  case crashes
  /// `diagnostics`: `{"code", "message"}`.
  case diagnostics
  /// `releases`, uploads of release files: `{"code", "message"}` with codes such as `not_found`. The command
  /// line client handles 400 and 404 itself.
  case releases
  /// `analytics`: `{"error": {"code", "message"}}` with the status as the code.
  case analytics

  /// Whether the app must exist: symbols may be uploaded before the first report arrives.
  package var needsApp: Bool { self != .symbols && self != .diagnostics }

  package func refusal(_ status: Status, _ message: String, headers: Headers = [:]) -> Response {
    let status = told(status)
    var response = Response.document(status: status) { writer in
      writer.beginObject()
      let isNested = self == .errors || self == .analytics
      if isNested {
        writer.key("error")
        writer.beginObject()
      }
      switch self {
      case .errors, .diagnostics: writer.member("code", Self.code(of: status))
      case .releases: writer.member("code", Self.word(for: status))
      case .analytics: writer.member("code", status.code)
      case .symbols, .crashes: break
      }
      writer.member("message", message)
      if isNested { writer.endObject() }
      writer.endObject()
    }
    for field in headers.fields { response.headers[field.name] = field.value }
    return response
  }

  /// Returns a status that makes clients notice the failure.
  private func told(_ status: Status) -> Status {
    guard self == .symbols else { return status }
    switch status {
    case .badRequest: return .unprocessableContent
    case .forbidden: return .unauthorized
    // Clients retry after either status.
    case .internalServerError: return .serviceUnavailable
    default: return status
    }
  }

  private static func code(of status: Status) -> String {
    switch status.code {
    case 400: "BadRequest"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "NotFound"
    case 406: "NotAcceptable"
    case 409: "Conflict"
    case 429: "TooManyRequests"
    default: "InternalServerError"
    }
  }

  private static func word(for status: Status) -> String {
    switch status.code {
    case 400: "bad_request"
    case 401: "unauthorized"
    case 403: "forbidden"
    case 404: "not_found"
    case 409: "conflict"
    case 422: "unprocessable_entity"
    case 429: "too_many_requests"
    default: "internal_server_error"
    }
  }

  /// The response of App Center's gateway to an unknown address.
  package static func unknownRoute(_ head: RequestHead) -> Response {
    .document(status: .notFound) { writer in
      writer.beginObject()
      writer.member("message", "Not found. Correlation ID: \(AppCenterCall.uuid(head.id))")
      writer.member("statusCode", 404)
      writer.member("code", "Not Found")
      writer.endObject()
    }
  }
}
