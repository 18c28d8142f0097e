public import Bytes
internal import Identifiers
internal import JSON

/// A submission in a backup that was acknowledged but is not stored: it waits, was with a worker, or
/// was quarantined.
public struct ArchivedSubmission: Equatable, Sendable {
  /// Its number in the queue, increasing in the order of arrival.
  public let id: Int
  let route: String
  /// Microseconds since 1970.
  let received: Int
  /// Named values that accompanied the body.
  let facts: [String: String]
  /// Number of attempts by workers: above 0 it may have been stored.
  let attempts: Int
  /// The reason for quarantine; `nil` if it was not quarantined.
  let problem: String?
  /// Whether the store's ledger has counted it as refused.
  let isCounted: Bool
  /// Its identity in the store.
  let identity: IntakeID

  public var isQuarantined: Bool { problem != nil }
}

extension ArchivedSubmission {
  /// Limits on a description, which excludes the body.
  private static let limits = JSONLimits(
    depth: 3, bytes: 1 << 20, nodes: 10_000, stringBytes: 1 << 20)
  /// Plausible numbers, far above what can be reached.
  private static let numbers = 1..<(1 << 53)
  /// Microseconds since 1970, for some thousand years.
  private static let times = 0..<(1 << 58)

  /// The description of the submission, without its body.
  ///
  /// - Parameters:
  ///   - count: The number of bytes in the body.
  ///   - digest: The SHA-256 of the body, in hexadecimal.
  public func document(ofBody count: Int, digest: String) -> [UInt8] {
    var writer = JSONWriter(pretty: true)
    writer.beginObject()
    writer.member("id", id)
    writer.member("route", route)
    writer.member("received", received)
    writer.key("facts")
    writeFacts(to: &writer)
    writer.member("attempts", attempts)
    writer.member("quarantined", problem)
    writer.member("counted", isCounted)
    writer.member("identity", identity.bytes.hexadecimalDigits)
    writer.member("bytes", count)
    writer.member("sha256", digest)
    writer.endObject()
    writer.newLine()
    return writer.takeBytes()
  }

  /// The facts as a JSON object.
  var factsText: String {
    var writer = JSONWriter()
    writeFacts(to: &writer)
    return String(decoding: writer.takeBytes(), as: UTF8.self)
  }

  private func writeFacts(to writer: inout JSONWriter) {
    writer.beginObject()
    for (name, value) in facts.sorted(by: { $0.key < $1.key }) { writer.member(name, value) }
    writer.endObject()
  }

  /// Parses the output of ``document(ofBody:digest:)``, which is untrusted.
  ///
  /// - Returns: `nil` for anything else.
  public static func read(
    _ document: ByteView
  ) -> (submission: ArchivedSubmission, count: Int, digest: String)? {
    guard let parse = try? JSONDocument.parse(document, limits: limits), parse.cut == nil,
      let id = parse.value["id"]?.integer, numbers.contains(id),
      let route = parse.value["route"]?.string,
      let received = parse.value["received"]?.integer, times.contains(received),
      let members = parse.value["facts"]?.object,
      let attempts = parse.value["attempts"]?.integer, (0...1_000_000).contains(attempts),
      let isCounted = parse.value["counted"]?.bool,
      let count = parse.value["bytes"]?.integer, count >= 0,
      let digest = parse.value["sha256"]?.string,
      let identity = identity(parse.value["identity"])
    else { return nil }
    var facts: [String: String] = [:]
    for member in members {
      guard let value = member.value.string, facts.updateValue(value, forKey: member.key) == nil
      else { return nil }
    }
    let submission = ArchivedSubmission(
      id: id, route: route, received: received, facts: facts, attempts: attempts,
      problem: parse.value["quarantined"]?.string, isCounted: isCounted,
      identity: identity)
    return (submission, count, digest)
  }

  /// - Returns: A new one where a backup of an older version has none; `nil` for anything that is not one.
  private static func identity(_ value: JSONValue?) -> IntakeID? {
    guard let value else { return IntakeID.random() }
    guard let text = value.string, let bytes = [UInt8](hexadecimal: text) else { return nil }
    return IntakeID(bytes)
  }
}
