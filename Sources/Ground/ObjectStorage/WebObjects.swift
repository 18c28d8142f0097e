internal import Bytes
public import HTTPClient

/// Files at plain addresses: `https://host/dump.dmp`.
///
/// Redirections are followed, but not from `https:` to `http:`; user names and queries of an address, which
/// may be passwords and signatures, appear in no error. Any number of threads may call it.
public final class WebObjects: Sendable {
  private let pool: WebSenderPool
  private let plan: RetryPlan
  private let limits: ObjectStoreLimits
  private let onWait: @Sendable (_ reason: String, _ seconds: Double) -> Void

  private static let mostRedirections = 5

  /// - Parameters:
  ///   - agent: The `User-Agent`.
  ///   - authorities: A PEM file with the certificates trusted for servers, instead of the machine's.
  ///   - onWait: Called with the reason and the seconds until the next try.
  public init(
    agent: String, authorities: String? = nil, plan: RetryPlan = RetryPlan(),
    limits: ObjectStoreLimits = ObjectStoreLimits(),
    onWait: @escaping @Sendable (_ reason: String, _ seconds: Double) -> Void = { _, _ in }
  ) {
    pool = WebSenderPool(agent: agent, authorities: authorities)
    self.plan = plan
    self.limits = limits
    self.onWait = onWait
  }

  /// Whether a text is such an address, valid or not.
  public static func isMeant(by text: some StringProtocol) -> Bool {
    let start = text.prefix(8).lowercased()
    return start.hasPrefix("http://") || start.hasPrefix("https://")
  }

  /// An address as it may be shown: without user name, password, query and fragment.
  public static func shown(_ url: String) -> String {
    guard let scheme = url.firstRange(of: "://")?.upperBound else { return url }
    let rest = url[scheme...].prefix { $0 != "?" && $0 != "#" }
    let authority = rest.prefix { $0 != "/" }
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] }
    return String(url[..<scheme] + (host ?? authority) + rest[authority.endIndex...])
  }

  /// Reads a file, or a range of it.
  ///
  /// A transfer that breaks off is continued where the server names the version of the file. A server that
  /// does not know ranges sends everything, of which the range is kept.
  ///
  /// - Parameters:
  ///   - range: The bytes to read, as far as the file has them. Default: all.
  ///   - entityTag: The version that it has to be, of an earlier answer.
  ///   - limit: The most bytes to take.
  /// - Throws: ``ObjectStorageError``.
  public func get(
    _ url: String, range: Range<Int>? = nil, entityTag: String? = nil, limit: Int
  ) throws(ObjectStorageError) -> ObjectPart {
    let target = DownloadTarget()
    let object = try get(url, range, entityTag, limit, target)
    return ObjectPart(bytes: target.takeBytes(), object: object)
  }

  /// Reads a file, or a range of it, into a descriptor that is open for writing; see
  /// ``get(_:range:entityTag:limit:)``.
  public func get(
    _ url: String, range: Range<Int>? = nil, entityTag: String? = nil, into descriptor: Int32,
    limit: Int
  ) throws(ObjectStorageError) -> ObjectHead {
    try get(url, range, entityTag, limit, DownloadTarget(descriptor: descriptor))
  }

  /// Size and version of a file.
  ///
  /// - Returns: `nil` where there is none.
  /// - Throws: ``ObjectStorageError``; `.refused` also where the server does not know HEAD.
  public func head(_ url: String) throws(ObjectStorageError) -> ObjectHead? {
    var attempts = Attempts(plan, onWait: onWait)
    while true {
      let sink = AnswerSink(document: 64 << 10)
      guard
        let head = try attempt("HEAD", url, [], to: sink, answers: [404, 410], &attempts)
      else { continue }
      guard head.status < 400 else { return nil }
      return ObjectHead(
        head, size: head["content-length"].flatMap { ContentRange.number($0) })
    }
  }

  private func get(
    _ url: String, _ range: Range<Int>?, _ entityTag: String?, _ limit: Int,
    _ target: DownloadTarget
  ) throws(ObjectStorageError) -> ObjectHead {
    if let range, range.isEmpty {
      guard let facts = try head(url) else {
        throw ObjectStorageError(.notFound, Self.shown(url), "there is no such file")
      }
      return facts
    }
    var attempts = Attempts(plan, onWait: onWait)
    let download = Download(subject: Self.shown(url), range: range, limit: limit, target: target)
    return try download.run(&attempts, entityTag: entityTag) {
      (part, sink, attempts) throws(ObjectStorageError) -> WebHead? in
      let headers = part.headers + [("Accept-Encoding", "identity")]
      return try self.attempt("GET", url, headers, to: sink, answers: [416], &attempts)
    }
  }

  /// Sends a request once, and again where it is redirected to.
  private func attempt(
    _ method: String, _ url: String, _ headers: [(name: String, value: String)],
    to sink: AnswerSink, answers: Set<Int>, _ attempts: inout Attempts
  ) throws(ObjectStorageError) -> WebHead? {
    let subject = Self.shown(url)
    guard Self.isMeant(by: url), url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else {
      throw ObjectStorageError(
        .configuration, subject, "is not an address that begins with http:// or https://")
    }
    var place = url
    var options = WebTransferOptions()
    options.silence = limits.silence
    options.leastSpeed = limits.leastSpeed
    for _ in 0...Self.mostRedirections {
      let request = WebRequest(method, place, headers: headers.map { "\($0.name): \($0.value)" })
      let head: WebHead
      do throws(WebError) {
        head = try pool.transfer(request, to: sink, options)
      } catch {
        guard error.kind == .stopped, let stopped = sink.head else {
          let failure = ObjectStorageError(
            .unreachable, subject, error.description, advice: ObjectStore.advice(for: error))
          guard error.kind == .temporary else { throw failure }
          try attempts.pause(after: failure, progress: sink.progress)
          return nil
        }
        head = stopped
      }
      if (200...299).contains(head.status) || answers.contains(head.status) { return head }
      if [301, 302, 303, 307, 308].contains(head.status), let next = head.redirection {
        guard Self.isMeant(by: next), !(place.isSecure && !next.isSecure) else {
          throw ObjectStorageError(
            .refused, subject, "it redirects to \(Self.shown(next)), which is not https:",
            status: head.status)
        }
        place = next
        sink.forgetDocument()
        continue
      }
      let kind: ObjectStorageError.Kind
      switch head.status {
      case 404, 410: kind = .notFound
      case 401, 403, 407: kind = .notAllowed
      case 412: kind = .changed
      case 408, 429, 500, 502, 503, 504: kind = .unreachable
      default: kind = .refused
      }
      let failure = ObjectStorageError(
        kind, subject, "the server answered \(head.status)", status: head.status)
      guard kind == .unreachable else { throw failure }
      try attempts.pause(after: failure, asked: head.retryAfter)
      return nil
    }
    throw ObjectStorageError(
      .refused, subject, "it redirects more than \(Self.mostRedirections) times")
  }
}

extension String {
  fileprivate var isSecure: Bool { prefix(6).lowercased() == "https:" }
}
