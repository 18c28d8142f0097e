internal import JSON

/// The log record of a request. It contains no header and no query value.
public struct AccessRecord: Sendable {
  public enum Outcome: String, Sendable {
    case done
    /// The client disconnected, or the server stopped.
    case aborted
    /// A deadline passed.
    case expired
  }

  public let id: String
  public let method: String
  /// The route's pattern; empty where none was found.
  public let pattern: String
  /// The path without its secret parts and the values of its query.
  public let target: String
  /// 0 where the request ended without an answer.
  public let status: Int
  public let received: Int
  public let sent: UInt64
  public let microseconds: UInt64
  public let peer: String
  public let outcome: Outcome

  /// One line of JSON.
  public var json: String { String(decoding: line.dropLast(), as: UTF8.self) }

  /// The bytes of ``json``, and the end of the line.
  public var line: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("id", id)
    writer.member("method", method)
    writer.member("route", pattern)
    writer.member("target", target)
    writer.member("status", status)
    writer.member("received", received)
    writer.member("sent", sent)
    writer.member("us", microseconds)
    writer.member("peer", peer)
    writer.member("outcome", outcome.rawValue)
    writer.endObject()
    writer.newLine()
    return writer.takeBytes()
  }

  /// The path as far as it may be logged: a part that a route calls a token, key, secret, signature
  /// or password is replaced by its name, and so is each item of the query. Where no route matched,
  /// parts long enough to be secrets are left out.
  ///
  /// - Parameter secrets: The parts that its route calls so, with the names.
  static func target(
    of head: RequestHead, hiding secrets: [(index: Int, text: String)]
  ) -> String {
    var text = ""
    for (index, part) in head.segments.enumerated() {
      text += "/"
      if let secret = secrets.first(where: { $0.index == index }) {
        text += secret.text
      } else if head.pattern.isEmpty && part.utf8.count >= longestShown {
        text += "..."
      } else {
        text += prefix(part, 100)
      }
    }
    if text.isEmpty { text = "/" }
    for (index, item) in head.query.items.prefix(20).enumerated() {
      text += index == 0 ? "?" : "&"
      text += prefix(item.name, 40)
    }
    return prefix(text, 500)
  }

  /// The text up to this many characters.
  private static func prefix(_ text: String, _ count: Int) -> String {
    // Characters have a byte at least, and are slow to count.
    text.utf8.count <= count ? text : String(text.prefix(count))
  }

  /// Keys and tokens have at least 32 characters.
  private static let longestShown = 32

  /// Whether a route's name for a part of its pattern says that it is secret.
  static func isSecret(_ name: Substring) -> Bool {
    let name = name.lowercased()
    return ["token", "key", "secret", "sig", "password"].contains { name.contains($0) }
  }
}
