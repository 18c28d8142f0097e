internal import Bytes
internal import CCurl
internal import Files
internal import Glibc

/// Sends requests one after the other, over one connection where the server keeps it.
public final class WebSender {
  private let handle: UnsafeMutableRawPointer
  private let agent: String
  private let plan: RetryPlan
  private let authorities: String?
  private let timeLimit: Int

  /// - Parameters:
  ///   - agent: Its `User-Agent`.
  ///   - authorities: A PEM file with the certificates trusted for servers, instead of the machine's.
  ///   - timeLimit: Seconds for each try, its answer included; 0 for no limit.
  /// - Throws: ``WebError`` where memory is short or the file is missing.
  public init(
    agent: String, plan: RetryPlan = RetryPlan(), authorities: String? = nil, timeLimit: Int = 0
  ) throws(WebError) {
    if let authorities, access(authorities, R_OK) != 0 {
      throw WebError("\(authorities): \(String(cString: strerror(errno)))")
    }
    guard let handle = ccurl_open() else { throw WebError("no memory for a request") }
    self.handle = handle
    self.agent = agent
    self.plan = plan
    self.authorities = authorities
    self.timeLimit = timeLimit
  }

  deinit { ccurl_close(handle) }

  /// Sends a request until the server gives a final answer, or the plan ends.
  ///
  /// - Parameter onWait: Called with the reason and the number of seconds until the next try.
  /// - Returns: The answer, which may be a temporary refusal.
  /// - Throws: ``WebError`` where no answer came.
  public func send(
    _ request: WebRequest, onWait: (_ reason: String, _ seconds: Double) -> Void = { _, _ in }
  ) throws(WebError) -> WebResponse {
    var random = SystemRandomNumberGenerator()
    var failures = 0
    while true {
      let outcome: Result<WebResponse, WebError>
      do throws(WebError) {
        let answer = try sendOnce(request)
        guard answer.isTemporary else { return answer }
        outcome = .success(answer)
      } catch {
        outcome = .failure(error)
      }
      failures += 1
      let asked = (try? outcome.get())?.retryAfter
      guard let wait = plan.wait(after: failures, asked: asked, using: &random) else {
        return try outcome.get()
      }
      switch outcome {
      case .success(let answer): onWait("the server answered \(answer.status)", wait)
      case .failure(let error): onWait(error.description, wait)
      }
      SteadyClock.pause(seconds: wait)
    }
  }

  private func sendOnce(_ request: WebRequest) throws(WebError) -> WebResponse {
    let intake = AnswerIntake(limit: request.answerLimit)
    var status = 0
    var words = [CChar](repeating: 0, count: ccurl_words)
    let lines = request.headers.map { strdup($0) }
    defer { lines.forEach { free($0) } }
    let headers = lines.map { UnsafePointer($0) }
    func perform(_ body: UnsafeRawBufferPointer?) -> Int32 {
      let authorities = authorities.map { strdup($0) } ?? nil
      defer { free(authorities) }
      return request.method.withCString { method in
        request.url.withCString { url in
          agent.withCString { agent in
            headers.withUnsafeBufferPointer { headers in
              // An empty body is still a body, but has no address of its own.
              let address = body.map { $0.baseAddress ?? UnsafeRawPointer(method) }
              var call = ccurl_request(
                method: method, url: url, agent: agent, authorities: authorities,
                headers: headers.baseAddress,
                header_count: headers.count, body: address, body_size: body?.count ?? 0,
                connect_within: 15, silent_within: 300, within: timeLimit, on_header: takeHeader,
                on_body: takeBody, context: Unmanaged.passUnretained(intake).toOpaque())
              return ccurl_perform(handle, &call, &status, &words)
            }
          }
        }
      }
    }
    let code =
      request.body.map { body in body.withUnsafeBytes { perform($0) } } ?? perform(nil)
    guard code == 0 else {
      let text = words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      throw WebError(
        WebError.explained(String(decoding: text, as: UTF8.self), address: request.url))
    }
    return WebResponse(
      status: status, body: ByteView(intake.body), isCut: intake.isCut,
      retryAfter: intake.retryAfter)
  }
}

/// The part of an answer received so far.
private final class AnswerIntake {
  private(set) var body: [UInt8] = []
  private(set) var isCut = false
  private(set) var retryAfter: Int?
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  func take(body bytes: UnsafeRawBufferPointer) {
    let room = limit - body.count
    if bytes.count > room { isCut = true }
    body.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes.prefix(room)))
  }

  /// Source: RFC 9110 10.2.3; a date instead of seconds is ignored.
  func take(header bytes: UnsafeRawBufferPointer) {
    let line = String(decoding: bytes, as: UTF8.self)
    // The status line begins the head; headers of 100 Continue are not part of the answer.
    if line.hasPrefix("HTTP/") { retryAfter = nil }
    let parts = line.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "retry-after" else { return }
    retryAfter = Int(parts[1].filter { !$0.isWhitespace }).map { max(0, $0) }
  }
}

private func takeHeader(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let context else { return 0 }
  let intake = Unmanaged<AnswerIntake>.fromOpaque(context).takeUnretainedValue()
  intake.take(header: UnsafeRawBufferPointer(start: bytes, count: size * count))
  return size * count
}

private func takeBody(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let context else { return 0 }
  let intake = Unmanaged<AnswerIntake>.fromOpaque(context).takeUnretainedValue()
  intake.take(body: UnsafeRawBufferPointer(start: bytes, count: size * count))
  return size * count
}
