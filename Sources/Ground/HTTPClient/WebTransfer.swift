/// The status and headers of an answer.
public struct WebHead: Sendable {
  public let status: Int
  /// Names in lower case, and values without the blanks around them, in their order.
  public let headers: [(name: String, value: String)]
  /// The whole address to which the answer redirects; it was not followed.
  public let redirection: String?

  public init(
    status: Int, headers: [(name: String, value: String)], redirection: String? = nil
  ) {
    self.status = status
    self.headers = headers
    self.redirection = redirection
  }

  /// The value of the first header with a name in lower case.
  public subscript(name: String) -> String? { headers.first { $0.name == name }?.value }

  /// Seconds after which the server asks for a retry.
  ///
  /// Source: RFC 9110 10.2.3; a date instead of seconds is ignored.
  public var retryAfter: Int? { self["retry-after"].flatMap { Int($0) }.map { max(0, $0) } }
}

/// Takes an answer as it comes.
public protocol WebSink: AnyObject {
  /// Called once, before any byte of the body.
  ///
  /// - Returns: `false` to end the transfer.
  func begin(_ head: WebHead) -> Bool
  /// Takes the next bytes of the body.
  ///
  /// - Returns: `false` to end the transfer.
  func take(_ bytes: RawSpan) -> Bool
}

/// Time limits of a transfer, in seconds, and how it is made.
public struct WebTransferOptions: Sendable {
  /// The longest wait for a connection.
  public var connect = 15
  /// The longest time with fewer bytes a second, in either direction, than ``leastSpeed``.
  public var silence = 300
  /// Bytes a second.
  public var leastSpeed = 1
  /// The longest time for everything; 0 for no limit.
  public var whole = 0
  /// Whether proxies that the environment names are asked.
  public var usesProxy = true
  /// Whether the path is sent with its `..` and `.`, which are otherwise resolved.
  public var keepsPath = false

  public init() {}
}
