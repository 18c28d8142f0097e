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
  public var json: String {
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
    return String(decoding: writer.takeBytes(), as: UTF8.self)
  }

  /// The path as far as it may be logged: a part that a route calls a token, key, secret, signature
  /// or password is replaced by its name, and so is each item of the query. Where no route matched,
  /// parts long enough to be secrets are left out.
  static func target(of head: RequestHead) -> String {
    var parts = head.segments.map { part in
      head.pattern.isEmpty && part.utf8.count >= longestShown ? "..." : String(part.prefix(100))
    }
    for (index, part) in head.pattern.split(separator: "/").enumerated()
    where part.hasPrefix(":") && index < parts.count && isSecret(part) {
      parts[index] = String(part)
    }
    var text = "/" + parts.joined(separator: "/")
    let names = head.query.items.prefix(20).map { String($0.name.prefix(40)) }
    if !names.isEmpty { text += "?" + names.joined(separator: "&") }
    return String(text.prefix(500))
  }

  /// Keys and tokens have at least 32 characters.
  private static let longestShown = 32

  private static func isSecret(_ name: Substring) -> Bool {
    let name = name.lowercased()
    return ["token", "key", "secret", "sig", "password"].contains { name.contains($0) }
  }
}
