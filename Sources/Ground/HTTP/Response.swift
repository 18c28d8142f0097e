public import Bytes

/// The answer to a request.
public struct Response: Sendable {
  public enum Content: Sendable {
    case bytes(ByteView)
    /// Sent by the kernel, without passing through memory where there is no TLS.
    case file(ResponseFile)
    /// Chunks of unknown number; `nil` ends them. Called on a network thread: it must not wait long.
    case stream(@Sendable () throws -> [UInt8]?)
  }

  public var status: Status
  public var headers: Headers
  public var content: Content
  /// An event that must happen before it is sent; `nil` for none.
  public var hold: ResponseHold?

  public init(_ status: Status, headers: Headers = [:], content: Content = .bytes(.empty)) {
    self.status = status
    self.headers = headers
    self.content = content
  }

  /// A response without a body.
  public static func empty(_ status: Status = .noContent, headers: Headers = [:]) -> Response {
    Response(status, headers: headers)
  }

  public static func bytes(
    _ bytes: ByteView, type: String, status: Status = .ok, headers: Headers = [:]
  ) -> Response {
    var headers = headers
    headers["Content-Type"] = type
    return Response(status, headers: headers, content: .bytes(bytes))
  }

  public static func text(
    _ text: String, status: Status = .ok, headers: Headers = [:]
  ) -> Response {
    .bytes(
      ByteView(text.utf8), type: "text/plain; charset=utf-8", status: status, headers: headers)
  }

  public static func html(
    _ text: String, status: Status = .ok, headers: Headers = [:]
  ) -> Response {
    .bytes(ByteView(text.utf8), type: "text/html; charset=utf-8", status: status, headers: headers)
  }

  public static func file(
    _ file: ResponseFile, type: String, status: Status = .ok, headers: Headers = [:]
  ) -> Response {
    var headers = headers
    headers["Content-Type"] = type
    return Response(status, headers: headers, content: .file(file))
  }

  /// A JSON document that is already serialised.
  public static func json(
    _ document: [UInt8], status: Status = .ok, headers: Headers = [:]
  ) -> Response {
    .bytes(ByteView(document), type: "application/json", status: status, headers: headers)
  }

  /// A problem document (RFC 9457): see ``Problem``.
  public static func problem(
    _ status: Status, _ detail: String = "", code: ProblemCode? = nil, parameter: String? = nil,
    member: String? = nil, headers: Headers = [:]
  ) -> Response {
    Problem(
      status, detail, code: code, parameter: parameter, member: member, headers: headers
    ).response
  }

  /// A temporary refusal with the number of seconds after which to retry.
  public static func busy(
    _ detail: String, code: ProblemCode = .busy, retryAfter seconds: Int = 5
  ) -> Response {
    .problem(.serviceUnavailable, detail, code: code, headers: ["Retry-After": "\(seconds)"])
  }

  /// The response with its entity tag, or 304 where the client already has that version (RFC 9110 13.1.2).
  ///
  /// - Parameter tag: Without its quotes.
  public func tagged(_ tag: String, for request: RequestHead) -> Response {
    var response = self
    response.headers["ETag"] = "\"\(tag)\""
    let known = request.headers.list("If-None-Match")
    let isKnown = known.contains { candidate in
      let strong = candidate.hasPrefix("W/") ? candidate.dropFirst(2) : Substring(candidate)
      return strong == "*" || strong == "\"\(tag)\""
    }
    guard isKnown, request.method == "GET" || request.method == "HEAD" else { return response }
    response.status = .notModified
    response.headers["Content-Type"] = nil
    response.content = .bytes(.empty)
    return response
  }
}
