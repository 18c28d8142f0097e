internal import CMicrohttpd
internal import Glibc

/// Reads the requests of one connection before libmicrohttpd does.
///
/// Its parser is lenient, so it never sees a head that a client wrote. The reader judges each head
/// (``HeadFacts``), keeps it for the exchange, and gives the library a head of its own with only the
/// necessary facts: whether a body follows, and whether the connection stays open.
///
///     POST /7 HTTP/1.1        the number of the request on its connection
///     Host: mayday
///     Content-Length: 12
///
/// Chunks are judged too, and passed on without extensions and trailers. A refused head becomes a request of
/// its own, which is answered with the refusal; nothing after it is read.
///
/// `@unchecked Sendable`: "MHD_USE_INTERNAL_POLLING_THREAD [...] a connection is always processed by the
/// same thread" of the pool, which reads and calls the handler in turn.
final class RequestReader: @unchecked Sendable {
  /// A head that waits until the library reaches its request.
  struct Received {
    enum Content {
      /// From the request line to the end of the last header line.
      case head([UInt8])
      case refused(HTTPError)
    }

    let number: UInt64
    let content: Content

    /// The approximate size in memory.
    var size: Int { if case .head(let bytes) = content { bytes.count + 64 } else { 0 } }
  }

  private enum State {
    case head
    case length(UInt64)
    case chunkSize
    case chunk(UInt64)
    case chunkEnd
    case trailers(count: Int)
    /// The reader reads nothing more.
    case ended
  }

  /// The longest line with the size of a chunk, and all trailers.
  private static let chunkLineLimit = 256
  private static let trailerLimit = 8 << 10
  /// The most bytes of heads that wait for the library: the reader's substitutes are short, so the library
  /// would otherwise read thousands at once.
  private static let waitingLimit = 256 << 10

  private let headLimit: Int
  private var state = State.head
  private var number: UInt64 = 0
  private var received: [Received] = []
  private var waiting = 0
  /// Why the body of a request cannot be read to its end.
  private var failure: (number: UInt64, error: HTTPError)?
  /// Bytes that were read and not yet judged.
  private var kept: [UInt8] = []
  /// The offset up to which the kept bytes were searched for the end of the head, and that of their last
  /// line.
  private var searched = 0
  private var lineStart = 0
  /// Bytes that the library gets before anything else.
  private var pending: [UInt8] = []
  private var pendingStart = 0

  /// - Parameter headLimit: In bytes, at most 128 KiB.
  init(headLimit: Int) { self.headLimit = min(headLimit, CMHD_SCRATCH / 2) }

  /// The head of the request that the library has reached.
  ///
  /// - Returns: `nil` where the library reached a request that it was not given.
  ///
  /// - Parameter target: What the library read from our head.
  func take(_ target: UnsafePointer<CChar>) -> Received? {
    guard let first = received.first, Self.number(in: target) == first.number else { return nil }
    waiting -= first.size
    return received.removeFirst()
  }

  /// The number in `/7`; `nil` for any other text.
  private static func number(in target: UnsafePointer<CChar>) -> UInt64? {
    guard target[0] == 0x2f, target[1] != 0 else { return nil }
    var number: UInt64 = 0
    var index = 1
    while target[index] != 0 {
      guard index < 20, (0x30...0x39).contains(target[index]) else { return nil }
      number = number &* 10 &+ UInt64(target[index] - 0x30)
      index += 1
    }
    return number
  }

  /// Why the body of that request was cut off.
  func failure(of number: UInt64) -> HTTPError? {
    failure.flatMap { $0.number == number ? $0.error : nil }
  }

  // MARK: - Called by libmicrohttpd

  /// - Returns: The number of bytes, 0 at the end, or `CMHD_NOTHING_YET` or `CMHD_FAILED`. Fewer than the
  ///   buffer holds only where nothing more is available: the library then waits for more.
  func read(
    into buffer: UnsafeMutableRawBufferPointer, from source: UnsafeMutablePointer<cmhd_source>
  ) -> Int {
    let scratch = UnsafeMutableRawBufferPointer(start: cmhd_scratch(), count: CMHD_SCRATCH)
    kept.withUnsafeBytes { scratch.copyMemory(from: $0) }
    var window = 0..<kept.count
    var output = Output(buffer)
    var outcome = CMHD_NOTHING_YET
    // Without TLS a short read has taken everything available.
    var isDry = false
    while true {
      drain(into: &output)
      if output.isFull { break }
      if case .ended = state {
        discard(source)
        window = 0..<0
        break
      }
      if advance(scratch, &window, &output) { continue }
      if isDry { break }
      let count: Int
      let wanted: Int
      if window.isEmpty, let rest = bodyRest, rest >= UInt64(output.space.count) {
        wanted = output.space.count
        count = cmhd_receive(source, output.space.baseAddress, wanted)
        if count > 0 {
          output.count += count
          consumeBody(count)
        }
      } else {
        if window.lowerBound > 0 {
          // Also where the window is empty.
          UnsafeMutableRawBufferPointer(rebasing: scratch[..<window.count])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: scratch[window]))
          window = 0..<window.count
        }
        let space = UnsafeMutableRawBufferPointer(rebasing: scratch[window.upperBound...])
        wanted = space.count
        guard wanted > 0 else { break }
        count = cmhd_receive(source, space.baseAddress, wanted)
        if count > 0 { window = window.lowerBound..<(window.upperBound + count) }
      }
      if count <= 0 {
        outcome = count
        break
      }
      isDry = count < wanted && source.pointee.session == nil
    }
    if !(window.isEmpty && kept.isEmpty) { kept = Array(scratch[window]) }
    return output.count > 0 ? output.count : outcome
  }

  /// The library's buffer.
  private struct Output {
    private let buffer: UnsafeMutableRawBufferPointer
    var count = 0

    init(_ buffer: UnsafeMutableRawBufferPointer) { self.buffer = buffer }

    var isFull: Bool { count == buffer.count }
    var space: UnsafeMutableRawBufferPointer { .init(rebasing: buffer[count...]) }

    /// Appends as many bytes as fit; returns how many that was.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> Int {
      let length = min(bytes.count, buffer.count - count)
      space.copyMemory(from: .init(rebasing: bytes[..<length]))
      count += length
      return length
    }
  }

  private func drain(into output: inout Output) {
    guard pendingStart < pending.count else { return }
    pendingStart += pending.withUnsafeBytes {
      output.append(UnsafeRawBufferPointer(rebasing: $0[pendingStart...]))
    }
    if pendingStart == pending.count {
      pending.removeAll(keepingCapacity: true)
      pendingStart = 0
    }
  }

  /// A connection that is closed with bytes unread is reset, and the refusal with it.
  private func discard(_ source: UnsafeMutablePointer<cmhd_source>) {
    let scratch = cmhd_scratch()
    for _ in 0..<4 where cmhd_receive(source, scratch, CMHD_SCRATCH) <= 0 { return }
  }

  private var bodyRest: UInt64? {
    switch state {
    case .length(let rest), .chunk(let rest): rest
    default: nil
    }
  }

  private func consumeBody(_ count: Int) {
    switch state {
    case .length(let rest):
      state = rest == UInt64(count) ? .head : .length(rest - UInt64(count))
    case .chunk(let rest):
      state = rest == UInt64(count) ? .chunkEnd : .chunk(rest - UInt64(count))
    default: break
    }
  }

  // MARK: - Judging

  /// Advances by one step through the bytes that were read; `false` where it needs more.
  private func advance(
    _ scratch: UnsafeMutableRawBufferPointer, _ window: inout Range<Int>, _ output: inout Output
  ) -> Bool {
    guard !window.isEmpty else { return false }
    let bytes = UnsafeRawBufferPointer(rebasing: scratch[window])
    let used: Int
    switch state {
    case .head:
      guard let count = takeHead(bytes) else { return false }
      used = count
    case .length(let rest), .chunk(let rest):
      let most = Int(min(rest, UInt64(bytes.count)))
      used = output.append(UnsafeRawBufferPointer(rebasing: bytes[..<most]))
      consumeBody(used)
    case .chunkSize, .chunkEnd, .trailers:
      guard let count = takeChunkLine(bytes) else { return false }
      used = count
    case .ended: used = bytes.count
    }
    window = window.dropFirst(used)
    return true
  }

  /// - Returns: The length of the head in bytes; `nil` where it is not complete yet.
  private func takeHead(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    while let found = memchr(base + searched, 0x0a, bytes.count - searched) {
      let end = UnsafeRawPointer(found) - base
      guard end > lineStart, bytes[end - 1] == 0x0d else {
        return refuse(.refused(.badRequest, "A line of the head does not end with CRLF."), bytes)
      }
      // RFC 9112 2.2 would skip it, for clients of the nineties; strict parsers refuse it.
      guard end > 1 else {
        return refuse(.refused(.badRequest, "The request begins with an empty line."), bytes)
      }
      if end - 1 == lineStart { return judge(bytes, head: lineStart, end: end + 1) }
      searched = end + 1
      lineStart = end + 1
    }
    searched = bytes.count
    guard bytes.count <= headLimit else {
      return refuse(tooLarge(isRequestLine: lineStart == 0), bytes)
    }
    // Input that is not HTTP at all, such as TLS, is refused at once.
    guard ByteClass.isToken(bytes[0]) || bytes[0] == 0x0d else {
      return refuse(.refused(.badRequest, "This is not an HTTP request."), bytes)
    }
    return nil
  }

  private func tooLarge(isRequestLine: Bool) -> HTTPError {
    isRequestLine
      ? .refused(.uriTooLong, "The request line is longer than \(headLimit) bytes.")
      : .refused(
        .headerFieldsTooLarge, "Request line and headers are longer than \(headLimit) bytes.")
  }

  private func judge(_ bytes: UnsafeRawBufferPointer, head: Int, end: Int) -> Int {
    let head = UnsafeRawBufferPointer(rebasing: bytes[..<head])
    guard end <= headLimit else {
      let line = HeadLines.firstLineLength(of: head)
      return refuse(tooLarge(isRequestLine: line > headLimit), bytes)
    }
    let facts: HeadFacts
    do throws(HTTPError) {
      facts = try HeadFacts(judging: head)
    } catch {
      return refuse(error, bytes)
    }
    guard waiting + head.count <= Self.waitingLimit else {
      return refuse(
        .refused(.headerFieldsTooLarge, "Too many requests are waiting on this connection."), bytes)
    }
    searched = 0
    lineStart = 0
    number += 1
    switch facts.framing {
    case .none: break
    case .length(let length): state = .length(length)
    case .chunked: state = .chunkSize
    }
    let request = Received(number: number, content: .head(Array(head)))
    received.append(request)
    waiting += request.size
    write(facts, of: head)
    return end
  }

  /// The library's own head for a request.
  private func write(_ facts: HeadFacts, of head: UnsafeRawBufferPointer) {
    let hasBody = facts.framing != .none
    func append(_ text: StaticString) {
      text.withUTF8Buffer { pending.append(contentsOf: $0) }
    }
    append(facts.isHEAD ? "HEAD /" : hasBody ? "POST /" : "GET /")
    pending += String(number).utf8
    append(facts.isVersion10 ? " HTTP/1.0" : " HTTP/1.1")
    append("\r\nHost: mayday\r\n")
    if hasBody {
      if case .length(let length) = facts.framing {
        append("Content-Length: ")
        pending += String(length).utf8
        append("\r\n")
      }
      if case .chunked = facts.framing { append("Transfer-Encoding: chunked\r\n") }
      if facts.waits { append("Expect: 100-continue\r\n") }
    }
    if facts.closes {
      append("Connection: close\r\n")
    } else if facts.keepsAlive && facts.isVersion10 {
      append("Connection: Keep-Alive\r\n")
    }
    if hasBody, let form = facts.form {
      pending += "Content-Type: ".utf8
      pending += head[form]
      pending += "\r\n".utf8
    }
    pending += "\r\n".utf8
  }

  /// Stops reading; adds a request that is answered with the refusal.
  ///
  /// - Returns: The number of bytes dropped: all.
  private func refuse(_ error: HTTPError, _ bytes: UnsafeRawBufferPointer) -> Int {
    let isHEAD = bytes.starts(with: "HEAD ".utf8)
    number += 1
    received.append(Received(number: number, content: .refused(error)))
    pending +=
      "\(isHEAD ? "HEAD" : "GET") /\(number) HTTP/1.1\r\nHost: mayday\r\nConnection: close\r\n\r\n"
      .utf8
    state = .ended
    return bytes.count
  }

  /// A line between the bytes of chunks (RFC 9112 7.1).
  ///
  /// - Returns: The length of the line in bytes; `nil` where it is not complete yet.
  private func takeChunkLine(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    if case .chunkEnd = state {
      // Judged as early as possible.
      guard bytes[0] == 0x0d, bytes.count == 1 || bytes[1] == 0x0a else {
        return cut("A chunk is not followed by CRLF.", bytes)
      }
      guard bytes.count >= 2 else { return nil }
      pending += "\r\n".utf8
      state = .chunkSize
      return 2
    }
    var limit = Self.chunkLineLimit
    if case .trailers(let count) = state { limit = Self.trailerLimit - count }
    guard let found = memchr(base, 0x0a, min(bytes.count, limit)) else {
      return bytes.count >= limit
        ? cut("A line between chunks is too long.", bytes) : nil
    }
    let end = UnsafeRawPointer(found) - base
    guard end > 0, bytes[end - 1] == 0x0d else {
      return cut("A line between chunks does not end with CRLF.", bytes)
    }
    let line = bytes[..<(end - 1)]
    if case .trailers(let count) = state {
      guard !line.isEmpty else {
        pending += "\r\n".utf8
        state = .head
        return end + 1
      }
      guard let (name, value) = HeadLines.field(in: line), !name.isEmpty,
        name.allSatisfy(ByteClass.isToken), value.allSatisfy(ByteClass.isFieldContent)
      else { return cut("A trailer is not a header.", bytes) }
      state = .trailers(count: count + end + 1)
      return end + 1
    }
    guard let size = ChunkSize.parse(line) else {
      return cut("The size of a chunk is not a hexadecimal number.", bytes)
    }
    pending += "\(String(size, radix: 16))\r\n".utf8
    state = size == 0 ? .trailers(count: 0) : .chunk(size)
    return end + 1
  }

  /// Ends a body that cannot be read to its end, and stops reading. The library sees a regular end; the
  /// exchange asks for the failure.
  private func cut(_ reason: String, _ bytes: UnsafeRawBufferPointer) -> Int {
    failure = (number, .refused(.badRequest, reason))
    switch state {
    case .chunkEnd: pending += "\r\n0\r\n\r\n".utf8
    case .trailers: pending += "\r\n".utf8
    default: pending += "0\r\n\r\n".utf8
    }
    state = .ended
    return bytes.count
  }
}

/// The line with the size of a chunk: hexadecimal digits alone, or with extensions, which are ignored. A
/// blank after the size is refused: parsers that trim it and parsers that do not see different bodies.
enum ChunkSize {
  /// - Returns: `nil` where it is not a number, or one of 2^56 or more, which no client sends.
  static func parse(_ line: Slice<UnsafeRawBufferPointer>) -> UInt64? {
    guard line.allSatisfy(ByteClass.isFieldContent) else { return nil }
    var size: UInt64 = 0
    var digits = 0
    var rest = line
    while let byte = rest.first, let digit = PercentCoding.digit(byte) {
      digits += 1
      guard digits <= 14 else { return nil }
      size = size << 4 | UInt64(digit)
      rest = rest.dropFirst()
    }
    guard digits > 0, rest.isEmpty || rest.first == UInt8(ascii: ";") else { return nil }
    return size
  }
}
