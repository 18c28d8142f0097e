import Glibc

/// A connection over which a test says exactly what it likes, HTTP or not.
///
/// `@unchecked Sendable`: a test hands it from thread to thread, one at a time.
public final class WebClient: @unchecked Sendable {
  public struct Answer {
    public let status: Int
    /// Names in lower case.
    public let headers: [String: String]
    public let body: [UInt8]

    public var text: String { String(decoding: body, as: UTF8.self) }
  }

  public let descriptor: Int32
  private var input: [UInt8] = []

  /// Connects to a port of this machine.
  public init(port: UInt16) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    setTimeout()
  }

  /// Connects to a Unix socket.
  public init(path: String) {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    setTimeout()
  }

  deinit { close(descriptor) }

  private func setTimeout() {
    var time = timeval(tv_sec: 20, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, size)
  }

  /// Sends all of `bytes`; `false` if the other side does not accept them.
  @discardableResult
  public func send(_ bytes: [UInt8]) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(
          descriptor, $0.baseAddress?.advanced(by: done), bytes.count - done, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }

  @discardableResult
  public func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Closes the sending side.
  public func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// A whole request with its length.
  @discardableResult
  public func request(
    _ method: String, _ path: String, headers: [String] = [], body: [UInt8]? = nil
  ) -> Bool {
    var text = "\(method) \(path) HTTP/1.1\r\n"
    if !headers.contains(where: { $0.lowercased().hasPrefix("host:") }) { text += "Host: test\r\n" }
    for header in headers { text += header + "\r\n" }
    if let body { text += "Content-Length: \(body.count)\r\n" }
    return send(Array((text + "\r\n").utf8) + (body ?? []))
  }

  /// The next response, `nil` if the connection ends or is silent for twenty seconds first.
  public func answer(toHead isHead: Bool = false) -> Answer? {
    while true {
      guard let head = takeHead() else { return nil }
      let lines = head.split(separator: "\r\n")
      guard let status = lines.first?.split(separator: " ").dropFirst().first,
        let status = Int(status)
      else { return nil }
      if status == 100 { continue }
      var headers: [String: String] = [:]
      for line in lines.dropFirst() {
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { continue }
        headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
      }
      let isBare = isHead || status == 204 || status == 304
      return Answer(status: status, headers: headers, body: isBare ? [] : body(headers))
    }
  }

  /// Whether the other side has closed the connection; data it still sent is dropped.
  public func isEnded() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count > 0 { continue }
      return count == 0 || errno == ECONNRESET
    }
  }

  private func fill() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count > 0 else { return false }
    input += buffer[..<count]
    return true
  }

  private func takeHead() -> String? {
    while true {
      if let end = input.firstRange(of: [13, 10, 13, 10]) {
        let head = String(decoding: input[..<end.lowerBound], as: UTF8.self)
        input.removeFirst(end.upperBound)
        return head
      }
      guard fill() else { return nil }
    }
  }

  private func body(_ headers: [String: String]) -> [UInt8] {
    if headers["transfer-encoding"] == "chunked" { return chunks() }
    guard let length = headers["content-length"].flatMap({ Int($0) }) else {
      while fill() {}
      defer { input = [] }
      return input
    }
    while input.count < length, fill() {}
    defer { input.removeFirst(min(length, input.count)) }
    return Array(input.prefix(length))
  }

  private func chunks() -> [UInt8] {
    var body: [UInt8] = []
    while true {
      guard let end = input.firstRange(of: [13, 10]) else {
        guard fill() else { return body }
        continue
      }
      let size = Int(String(decoding: input[..<end.lowerBound], as: UTF8.self), radix: 16) ?? 0
      let whole = end.upperBound + size + 2
      while input.count < whole, fill() {}
      guard input.count >= whole else { return body }
      body += input[end.upperBound..<end.upperBound + size]
      input.removeFirst(whole)
      if size == 0 { return body }
    }
  }
}
