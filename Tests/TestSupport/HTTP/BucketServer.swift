import Synchronization

/// A bucket of S3 in memory, behind a ``ScriptedServer``. Signatures are not checked.
public final class BucketServer: Sendable {
  private struct State {
    /// By key.
    var objects: [String: [UInt8]] = [:]
    var fault: (@Sendable (ScriptedServer.Request, _ key: String) -> ScriptedServer.Reply?)?
  }

  /// The objects of a page of a list.
  public static let pageSize = 100

  private let state: Contents
  private let server: ScriptedServer

  private final class Contents: Sendable {
    let state = Mutex(State())
  }

  public init() {
    let contents = Contents()
    state = contents
    server = ScriptedServer { request in contents.state.withLock { Self.answer(request, &$0) } }
  }

  public var origin: String { server.origin }
  public var requests: [ScriptedServer.Request] { server.requests }

  /// The requests of a kind for objects, not for lists.
  public func requests(_ method: String) -> [ScriptedServer.Request] {
    requests.filter { $0.method == method && !$0.target.contains("list-type=2") }
  }

  public subscript(key: String) -> [UInt8]? {
    get { state.state.withLock { $0.objects[key] } }
    set { state.state.withLock { $0.objects[key] = newValue } }
  }

  public var keys: [String] { state.state.withLock { $0.objects.keys.sorted() } }

  /// What is answered instead, if anything.
  public func fail(
    _ fault: (@Sendable (ScriptedServer.Request, _ key: String) -> ScriptedServer.Reply?)?
  ) {
    state.state.withLock { $0.fault = fault }
  }

  public static func refusal(_ status: Int, _ code: String) -> ScriptedServer.Reply {
    ScriptedServer.Reply(
      status, body: Array("<Error><Code>\(code)</Code><Message>words</Message></Error>".utf8))
  }

  private static func answer(
    _ request: ScriptedServer.Request, _ state: inout State
  ) -> ScriptedServer.Reply {
    let parts = request.target.split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false
    ).map(String.init)
    let path = parts[0].dropFirst()
    let key = decoded(String(path.drop { $0 != "/" }.dropFirst()))
    if let reply = state.fault?(request, key) { return reply }
    if key.isEmpty { return list(parts.count > 1 ? parts[1] : "", state) }
    switch request.method {
    case "PUT":
      if request.headers["if-none-match"] == "*", state.objects[key] != nil {
        return refusal(412, "PreconditionFailed")
      }
      state.objects[key] = request.body
      return ScriptedServer.Reply(200, headers: ["ETag: \(tag(request.body))"])
    case "HEAD":
      guard let bytes = state.objects[key] else { return ScriptedServer.Reply(404) }
      return ScriptedServer.Reply(
        200, headers: ["ETag: \(tag(bytes))"], length: bytes.count, isLast: true)
    default:
      guard let bytes = state.objects[key] else { return refusal(404, "NoSuchKey") }
      if let wanted = request.headers["if-match"], wanted != tag(bytes) {
        return refusal(412, "PreconditionFailed")
      }
      let headers = ["ETag: \(tag(bytes))"]
      guard let range = request.headers["range"]?.dropFirst(6).split(separator: "-"),
        let start = Int(range[0])
      else { return ScriptedServer.Reply(200, headers: headers, body: bytes) }
      guard start < bytes.count else { return refusal(416, "InvalidRange") }
      let end = min(range.count > 1 ? Int(range[1]) ?? .max : .max, bytes.count - 1)
      return ScriptedServer.Reply(
        206, headers: headers + ["Content-Range: bytes \(start)-\(end)/\(bytes.count)"],
        body: Array(bytes[start...end]))
    }
  }

  private static func list(_ query: String, _ state: State) -> ScriptedServer.Reply {
    var values: [String: String] = [:]
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
      values[parts[0]] = parts.count > 1 ? decoded(parts[1]) : ""
    }
    let keys = state.objects.keys.filter { $0.hasPrefix(values["prefix"] ?? "") }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let start = Int(values["continuation-token"] ?? "") ?? 0
    let page = keys.dropFirst(start).prefix(pageSize)
    let end = start + page.count
    var text = "<ListBucketResult><EncodingType>url</EncodingType>"
    text += "<IsTruncated>\(end < keys.count)</IsTruncated>"
    if end < keys.count { text += "<NextContinuationToken>\(end)</NextContinuationToken>" }
    for key in page {
      let bytes = state.objects[key] ?? []
      text += "<Contents><Key>\(encoded(key))</Key><Size>\(bytes.count)</Size>"
      text += "<ETag>\(tag(bytes).replacing("\"", with: "&quot;"))</ETag></Contents>"
    }
    return ScriptedServer.Reply(200, body: Array((text + "</ListBucketResult>").utf8))
  }

  private static func tag(_ bytes: [UInt8]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return "\"\(String(hash, radix: 16))-\(bytes.count)\""
  }

  private static func decoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"),
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "/"),
        UInt8(ascii: "."), UInt8(ascii: "_"):
        String(UnicodeScalar(byte))
      default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
  }
}
