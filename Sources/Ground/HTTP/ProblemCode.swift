/// The kinds of problems, for programs that tell them apart. The list is closed: a new one is a new version of
/// the API's description.
public enum ProblemCode: String, CaseIterable, Sendable {
  // MARK: What the request says

  case badRequest = "bad_request"
  case unknownParameter = "unknown_parameter"
  case invalidParameter = "invalid_parameter"
  case invalidQuery = "invalid_query"
  case invalidCursor = "invalid_cursor"
  case invalidDocument = "invalid_document"
  case invalidBody = "invalid_body"
  case contentTooLarge = "content_too_large"
  case uriTooLong = "uri_too_long"
  case headersTooLarge = "headers_too_large"
  case unsupportedMediaType = "unsupported_media_type"
  case unprocessableContent = "unprocessable_content"
  case expectationFailed = "expectation_failed"
  case versionNotSupported = "version_not_supported"

  // MARK: Who asks

  case tokenMissing = "token_missing"
  case tokenInvalid = "token_invalid"
  case scopeMissing = "scope_missing"
  case otherApp = "other_app"
  case forbidden = "forbidden"
  case rateLimited = "rate_limited"

  // MARK: What is there

  case notFound = "not_found"
  case methodNotAllowed = "method_not_allowed"
  case conflict = "conflict"
  case nameTaken = "name_taken"
  case ambiguousID = "ambiguous_id"
  case preconditionFailed = "precondition_failed"

  // MARK: The server

  case requestTimeout = "request_timeout"
  case busy = "busy"
  case storageFull = "storage_full"
  case storageFailed = "storage_failed"
  case internalError = "internal_error"

  /// The code that says no more than its status.
  public init(of status: Status) {
    self =
      switch status {
      case .unauthorized: .tokenMissing
      case .forbidden: .forbidden
      case .notFound, .gone: .notFound
      case .methodNotAllowed: .methodNotAllowed
      case .requestTimeout: .requestTimeout
      case .conflict: .conflict
      case .preconditionFailed: .preconditionFailed
      case .contentTooLarge: .contentTooLarge
      case .uriTooLong: .uriTooLong
      case .unsupportedMediaType: .unsupportedMediaType
      case .expectationFailed: .expectationFailed
      case .unprocessableContent: .unprocessableContent
      case .tooManyRequests: .rateLimited
      case .headerFieldsTooLarge: .headersTooLarge
      case .serviceUnavailable: .busy
      case .versionNotSupported: .versionNotSupported
      case .insufficientStorage: .storageFull
      default: status.code < 500 ? .badRequest : .internalError
      }
  }

  /// The same for each problem of the kind.
  public var title: String {
    switch self {
    case .badRequest: "Bad request"
    case .unknownParameter: "Unknown parameter"
    case .invalidParameter: "Invalid parameter"
    case .invalidQuery: "Invalid query"
    case .invalidCursor: "Invalid cursor"
    case .invalidDocument: "Invalid document"
    case .invalidBody: "Invalid body"
    case .contentTooLarge: "Content too large"
    case .uriTooLong: "URI too long"
    case .headersTooLarge: "Headers too large"
    case .unsupportedMediaType: "Unsupported media type"
    case .unprocessableContent: "Unprocessable content"
    case .expectationFailed: "Expectation failed"
    case .versionNotSupported: "HTTP version not supported"
    case .tokenMissing: "Token missing"
    case .tokenInvalid: "Token invalid"
    case .scopeMissing: "Scope missing"
    case .otherApp: "Token of another app"
    case .forbidden: "Forbidden"
    case .rateLimited: "Too many requests"
    case .notFound: "Not found"
    case .methodNotAllowed: "Method not allowed"
    case .conflict: "Conflict"
    case .nameTaken: "Name taken"
    case .ambiguousID: "Ambiguous id"
    case .preconditionFailed: "Precondition failed"
    case .requestTimeout: "Request timeout"
    case .busy: "Busy"
    case .storageFull: "Storage full"
    case .storageFailed: "Storage failed"
    case .internalError: "Internal error"
    }
  }

  /// When it is answered, as docs/reference/api.md has it.
  public var meaning: String {
    switch self {
    case .badRequest: "The request is malformed, or its parts contradict each other."
    case .unknownParameter:
      "The query has a parameter that the route does not have; `parameter` names it."
    case .invalidParameter:
      "A parameter is missing, given twice, or has a wrong value; `parameter` names it."
    case .invalidQuery:
      "A query cannot be read: `parameter` or `member`, and `position` where it fails."
    case .invalidCursor: "`after` is damaged, or of another list; start again without it."
    case .invalidDocument: "The JSON body is wrong; `member` names the member, if it is one."
    case .invalidBody: "The body is empty or damaged, or cannot be decoded."
    case .contentTooLarge: "The body, or what it decodes to, is larger than the route allows."
    case .uriTooLong: "The request line or the query is too long."
    case .headersTooLarge: "The headers are too long or too many."
    case .unsupportedMediaType: "The body has another content type or coding than the route takes."
    case .unprocessableContent: "The file is complete but useless, or not the announced one."
    case .expectationFailed: "An `Expect` other than `100-continue`."
    case .versionNotSupported: "Neither HTTP/1.1 nor HTTP/1.0."
    case .tokenMissing: "No token came with the request."
    case .tokenInvalid: "The token or key is unknown, revoked or expired."
    case .scopeMissing: "The token lacks the scope of the route."
    case .otherApp: "The token is for one app, and this is another one's or of all apps."
    case .forbidden: "Not allowed for another reason; see `detail`."
    case .rateLimited: "Too many submissions a minute; see `Retry-After`."
    case .notFound: "No such route, app, group, report, file or upload, or not for this token."
    case .methodNotAllowed: "The route has other methods; see `Allow`."
    case .conflict: "Impossible in the present state."
    case .nameTaken:
      "Another app has the name or the prefix, or one that differs in letter case only."
    case .ambiguousID: "The start of an id fits several."
    case .preconditionFailed:
      "It changed since: `If-Match` is not its present `ETag`, which is in the answer."
    case .requestTimeout: "The body came too slowly."
    case .busy: "Try again after `Retry-After` seconds."
    case .storageFull: "The disk or the queue is full. Nothing was accepted; try again later."
    case .storageFailed: "The disk failed. Nothing was accepted; the server's log has the reason."
    case .internalError: "A bug; the server's log has the reason."
    }
  }
}
