import Glibc
import Synchronization

/// A server that answers with exactly the bytes that a test says, HTTP or not.
///
/// Each connection has a thread, and is closed by ``Reply/isLast`` or by the client. It listens until the
/// process ends: a test may have nothing but its address.
public final class ScriptedServer: Sendable {
  public struct Request: Sendable {
    public let method: String
    /// With its query, as it came.
    public let target: String
    /// Names in lower case.
    public let headers: [String: String]
    public let body: [UInt8]
    /// How many requests came before.
    public let index: Int
  }

  public struct Reply: Sendable {
    /// Parts of the answer; each pause, in seconds, is before the next.
    public var parts: [(bytes: [UInt8], pause: Double)]
    /// Whether the connection is closed after it.
    public var isLast: Bool

    /// Bytes as they are.
    public init(raw bytes: [UInt8], isLast: Bool = true) {
      parts = [(bytes, 0)]
      self.isLast = isLast
    }

    /// An answer with the length of its body.
    ///
    /// - Parameter length: What is said instead of the length.
    public init(
      _ status: Int, headers: [String] = [], body: [UInt8] = [], length: Int? = nil,
      isLast: Bool = false
    ) {
      let head = ["HTTP/1.1 \(status) Status", "Content-Length: \(length ?? body.count)"] + headers
      let text = head.joined(separator: "\r\n") + "\r\n\r\n"
      parts = [(Array(text.utf8) + body, 0)]
      self.isLast = isLast || length != nil
    }

    /// The reply, after which nothing comes for so many seconds.
    public func stalling(_ seconds: Double) -> Reply {
      var reply = self
      reply.parts.append(([], seconds))
      reply.isLast = true
      return reply
    }
  }

  private let descriptor: Int32
  public let port: UInt16
  private let answer: @Sendable (Request) -> Reply
  private let log = Mutex<[Request]>([])
  private let accepted = Mutex(0)

  /// - Parameter answer: The answer to a request; called on the thread of its connection.
  public init(_ answer: @escaping @Sendable (Request) -> Reply) {
    self.answer = answer
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && listen(descriptor, 64) == 0
          && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard isBound else { fatalError("no port on 127.0.0.1") }
    port = UInt16(bigEndian: address.sin_port)
    Self.startThread { [self] in
      while true {
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { return }
        accepted.withLock { $0 += 1 }
        Self.startThread { [self] in
          serve(connection)
          close(connection)
        }
      }
    }
  }

  /// `http://127.0.0.1:PORT`
  public var origin: String { "http://127.0.0.1:\(port)" }

  /// The number of connections that were made.
  public var connections: Int { accepted.withLock { $0 } }

  /// The requests that came.
  public var requests: [Request] { log.withLock { $0 } }

  private func serve(_ connection: Int32) {
    var input: [UInt8] = []
    while let request = next(connection, &input) {
      let reply = answer(request)
      for part in reply.parts {
        if part.pause > 0 { usleep(UInt32(part.pause * 1e6)) }
        guard Self.send(part.bytes, connection) else { return }
      }
      if reply.isLast { return }
    }
  }

  private func next(_ connection: Int32, _ input: inout [UInt8]) -> Request? {
    func fill() -> Bool {
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return false }
      input += buffer[..<count]
      return true
    }
    while input.firstRange(of: [13, 10, 13, 10]) == nil { guard fill() else { return nil } }
    guard let end = input.firstRange(of: [13, 10, 13, 10]) else { return nil }
    let lines = String(decoding: input[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
    input.removeFirst(end.upperBound)
    let words = lines[0].split(separator: " ")
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      headers[parts[0].lowercased()] = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
    }
    let length = Int(headers["content-length"] ?? "") ?? 0
    if headers["expect"] != nil {
      guard Self.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), connection) else { return nil }
    }
    while input.count < length { guard fill() else { return nil } }
    let body = Array(input.prefix(length))
    input.removeFirst(length)
    return log.withLock {
      let request = Request(
        method: String(words[0]), target: String(words[1]), headers: headers, body: body,
        index: $0.count)
      $0.append(request)
      return request
    }
  }

  private static func send(_ bytes: [UInt8], _ connection: Int32) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(
          connection, $0.baseAddress?.advanced(by: done), bytes.count - done, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private static func startThread(_ run: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let body = Unmanaged.passRetained(Body(run))
    pthread_create(
      &thread, nil,
      { context in
        if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, body.toOpaque())
    pthread_detach(thread)
  }
}
