import Bytes
import Glibc
import JSON
import ModelContext
import Terminal

/// Messages of a client on standard input, and the responses on standard output, each in one line.
///
/// Requests are answered in their order. Cancellations are read between them: what was cancelled before it
/// began is not done, what was cancelled meanwhile is not answered.
struct ModelContextSession {
  typealias Answer = (_ message: RPCMessage, _ bytes: [UInt8]) -> [UInt8]?

  private let answer: Answer
  private let write: ([UInt8]) throws -> Void
  private var lines: MessageLines
  private var pending: [(message: RPCMessage, bytes: [UInt8])] = []
  private var cancelled: [JSONValue] = []

  /// - Parameters:
  ///   - write: Takes each response with the end of its line.
  ///   - answer: Returns the response to a message in one line; `nil` for none.
  init(
    reading descriptor: Int32, write: @escaping ([UInt8]) throws -> Void,
    answer: @escaping Answer
  ) {
    self.answer = answer
    self.write = write
    lines = MessageLines(of: descriptor, limit: RPCMessage.largest)
  }

  /// Answers until the input ends.
  mutating func run() throws {
    while !pending.isEmpty || !lines.isAtEnd {
      guard !pending.isEmpty else {
        try take(waiting: true)
        continue
      }
      let (message, bytes) = pending.removeFirst()
      cancelled = []
      let response = answer(message, bytes)
      try take(waiting: false)
      if case .request(let id, _, _) = message, cancelled.contains(id) { continue }
      if let response { try write(response + [UInt8(ascii: "\n")]) }
    }
  }

  private mutating func take(waiting isWaiting: Bool) throws {
    for line in try lines.next(waiting: isWaiting) {
      do throws(RPCError) {
        guard let line else { throw RPCError(.parseError, "the message is longer than 1 MiB") }
        let message = try RPCMessage(ByteView(line))
        if case .notification("notifications/cancelled", let parameters) = message {
          if let id = parameters["requestId"] { cancel(id) }
        } else {
          pending.append((message, line))
        }
      } catch {
        try write(error.response(to: .null) + [UInt8(ascii: "\n")])
      }
    }
  }

  /// A client must not cancel the handshake.
  private mutating func cancel(_ id: JSONValue) {
    cancelled.append(id)
    pending.removeAll { entry in
      guard case .request(id, let method, _) = entry.message else { return false }
      return method != "initialize"
    }
  }
}
