internal import Bytes
internal import Identifiers
internal import JSON

/// The JSON documents of a file: one, or one after the other as in lines of JSON.
struct ExportDocuments {
  private(set) var values: [JSONValue] = []
  /// Why the rest of the file was not read.
  private(set) var problem: String?

  /// The most documents of a file.
  private static let most = 1_000_000
  private static let limits = JSONLimits(
    depth: 128, bytes: 256 << 20, nodes: 4_000_000, stringBytes: 16 << 20)

  /// Whether a file begins as JSON does. A list in brackets may also be a log: the first value decides.
  static func begins(_ bytes: ByteView) -> Bool {
    let head = bytes.clamped(0..<4096).array
    guard let first = head.firstIndex(where: { !Self.isBlank($0) && !Self.mark.contains($0) })
    else { return false }
    if head[first] == UInt8(ascii: "{") { return true }
    guard head[first] == UInt8(ascii: "[") else { return false }
    let second = head[(first + 1)...].first { !Self.isBlank($0) }
    return second == UInt8(ascii: "{") || second == UInt8(ascii: "]")
  }

  /// The bytes of UTF-8's byte order mark.
  private static let mark: Set<UInt8> = [0xef, 0xbb, 0xbf]

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

  init(_ bytes: ByteView) {
    var start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    while true {
      while start < bytes.count, Self.isBlank(bytes.bytes.byte(start)) { start += 1 }
      guard start < bytes.count else { return }
      guard values.count < Self.most else {
        problem = "more than \(Self.most) documents in one file"
        return
      }
      do throws(ParseError) {
        let parsed = try JSONDocument.parse(
          bytes.clamped(start..<bytes.count), limits: Self.limits)
        if let cut = parsed.cut {
          // What the cut is in may lack anything.
          if let whole = parsed.value.withoutLast { values.append(whole) }
          problem = "JSON that is cut off after \(start + cut) bytes"
          return
        }
        values.append(parsed.value)
        start += parsed.end
      } catch {
        problem = "JSON that is damaged: \(error)"
        return
      }
    }
  }
}

extension JSONValue {
  /// A list, or an object that ends with a list, without the last element; `nil` for any other value.
  fileprivate var withoutLast: JSONValue? {
    switch self {
    case .array(let elements): return .array(elements.dropLast())
    case .object(var members):
      guard let last = members.popLast(), case .array(let elements) = last.value else { return nil }
      return .object(members + [JSONMember(last.key, .array(elements.dropLast()))])
    default: return nil
    }
  }

  /// An object of the members that are there.
  static func members(_ pairs: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    .object(pairs.compactMap { key, value in value.map { JSONMember(key, $0) } })
  }

  /// The member of an object that is not `null`.
  func member(_ key: String) -> JSONValue? {
    object?.last { $0.key == key && !$0.value.isNull }?.value
  }

  /// Text that is not empty; numbers as written.
  var text: String? {
    switch self {
    case .string(let text): text.isEmpty ? nil : text
    case .integer(let value): String(value)
    case .unsigned(let value): String(value)
    case .double(let value): integer.map(String.init) ?? value.description
    case .bool, .null, .array, .object: nil
    }
  }

  func text(_ key: String) -> String? { member(key)?.text }

  func text(_ keys: [String]) -> String? { keys.lazy.compactMap { text($0) }.first }

  func list(_ key: String) -> [JSONValue] { member(key)?.array ?? [] }

  func time(_ key: String) -> Timestamp? { text(key).flatMap { Timestamp($0) } }

  /// Names of its first members, for messages.
  var memberNames: String {
    let names = (object ?? []).prefix(6).map { String($0.key.prefix(40)) }
    return names.joined(separator: ", ") + ((object?.count ?? 0) > 6 ? ", ..." : "")
  }

  /// The value as a document.
  var document: ByteView {
    var writer = JSONWriter()
    writer.value(self)
    return ByteView(writer.takeBytes())
  }
}
