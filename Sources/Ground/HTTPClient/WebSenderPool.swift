internal import Synchronization

/// Senders for several threads: each request has one to itself, with the connection that an earlier request
/// left.
public final class WebSenderPool: Sendable {
  /// A handle of libcurl may move between threads, as long as one at a time uses it: libcurl-thread(3).
  private struct Idle: @unchecked Sendable {
    let sender: WebSender
  }

  private let agent: String
  private let authorities: String?
  private let idle = Mutex<[Idle]>([])

  /// Senders that are kept for later.
  private static let most = 64

  /// - Parameters:
  ///   - agent: Its `User-Agent`.
  ///   - authorities: A PEM file with the certificates trusted for servers, instead of the machine's.
  public init(agent: String, authorities: String? = nil) {
    self.agent = agent
    self.authorities = authorities
  }

  /// Sends a request once over an idle connection or a new one; see ``WebSender/transfer(_:to:_:)``.
  public func transfer(
    _ request: WebRequest, to sink: any WebSink, _ options: WebTransferOptions
  ) throws(WebError) -> WebHead {
    let next: Idle
    if let kept = idle.withLock({ $0.popLast() }) {
      next = kept
    } else {
      next = Idle(sender: try WebSender(agent: agent, authorities: authorities))
    }
    defer { idle.withLock { if $0.count < Self.most { $0.append(next) } } }
    return try next.sender.transfer(request, to: sink, options)
  }
}
