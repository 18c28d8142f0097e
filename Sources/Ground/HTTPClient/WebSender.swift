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
      throw WebError(
        "\(authorities): \(String(cString: strerror(errno)))", kind: .permanent)
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
    let body = AnswerBody(limit: request.answerLimit)
    var options = WebTransferOptions()
    options.whole = timeLimit
    let head = try transfer(request, to: body, options)
    return WebResponse(
      status: head.status, body: ByteView(body.bytes), isCut: body.isCut,
      retryAfter: head.retryAfter)
  }

  /// Sends a request once, and hands the answer to `sink` as it comes. No redirection is followed.
  ///
  /// The request's limit on the answer is that of `sink`.
  ///
  /// - Returns: The head of the whole answer.
  /// - Throws: ``WebError`` where no answer came, it was cut off, or `sink` ended it.
  public func transfer(
    _ request: WebRequest, to sink: any WebSink, _ options: WebTransferOptions
  ) throws(WebError) -> WebHead {
    let intake = AnswerIntake(sink)
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
                is_bare: request.method == "HEAD" ? 1 : 0, path_as_is: options.keepsPath ? 1 : 0,
                no_proxy: options.usesProxy ? 0 : 1, connect_within: options.connect,
                silent_within: options.silence, least_speed: options.leastSpeed,
                within: options.whole, on_header: takeHeader, on_body: takeBody,
                context: Unmanaged.passUnretained(intake).toOpaque())
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
      let kind: WebError.Kind =
        ccurl_is_stopped(code) != 0
        ? .stopped : ccurl_is_permanent(code) != 0 ? .permanent : .temporary
      throw WebError(
        WebError.explained(String(decoding: text, as: UTF8.self), address: request.url),
        kind: kind)
    }
    return WebHead(
      status: status, headers: intake.headers,
      redirection: ccurl_redirection(handle).map { String(cString: $0) })
  }
}

/// A body that is kept as far as its limit.
private final class AnswerBody: WebSink {
  private(set) var bytes: [UInt8] = []
  private(set) var isCut = false
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  func begin(_ head: WebHead) -> Bool { true }

  func take(_ part: RawSpan) -> Bool {
    let room = limit - bytes.count
    if part.byteCount > room { isCut = true }
    part.withUnsafeBytes { part in
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: part.prefix(room)))
    }
    return true
  }
}

/// The part of an answer received so far.
private final class AnswerIntake {
  private(set) var headers: [(name: String, value: String)] = []
  private var status = 0
  private var headBytes = 0
  private var hasBegun = false
  private let sink: any WebSink

  /// Bytes of all headers of a request. S3 sends at most some 10 KB, of which 2 KB are the user's.
  private static let limit = 256 << 10

  init(_ sink: any WebSink) { self.sink = sink }

  func take(body bytes: RawSpan) -> Bool { sink.take(bytes) }

  func take(header bytes: UnsafeRawBufferPointer) -> Bool {
    headBytes = headBytes.addingClamped(bytes.count)
    guard headBytes <= Self.limit else { return false }
    // Trailers follow the body.
    guard !hasBegun else { return true }
    let line = String(decoding: bytes, as: UTF8.self)
    // The status line begins the head; headers of 100 Continue are not part of the answer.
    if line.hasPrefix("HTTP/") {
      headers = []
      status = line.split(separator: " ").dropFirst().first.flatMap { Int($0.prefix(3)) } ?? 0
      return true
    }
    if line.allSatisfy(\.isNewline) {
      // Source: RFC 9110 15.2.
      guard status >= 200 else { return true }
      hasBegun = true
      return sink.begin(WebHead(status: status, headers: headers))
    }
    guard let colon = line.firstIndex(of: ":") else { return true }
    let value = line[line.index(after: colon)...].drop(while: \.isWhitespace)
    headers.append(
      (line[..<colon].lowercased(), String(value.prefix { !$0.isNewline }.trimmedAtEnd)))
    return true
  }
}

extension Substring {
  fileprivate var trimmedAtEnd: Substring {
    var text = self
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}

private func takeHeader(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let context else { return 0 }
  let intake = Unmanaged<AnswerIntake>.fromOpaque(context).takeUnretainedValue()
  let isTaken = intake.take(header: UnsafeRawBufferPointer(start: bytes, count: size * count))
  return isTaken ? size * count : 0
}

private func takeBody(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let context else { return 0 }
  let intake = Unmanaged<AnswerIntake>.fromOpaque(context).takeUnretainedValue()
  let bytes = UnsafeRawBufferPointer(start: bytes, count: size * count)
  return intake.take(body: bytes.bytes) ? size * count : 0
}
