internal import Bytes
internal import JSON

/// A report that is one JSON object, read as far as possible: truncation or damage loses the rest.
struct ObjectDocument {
  private static let limits = JSONLimits(
    depth: 128, bytes: 128 << 20, nodes: 2_000_000, stringBytes: 16 << 20)
  /// Bytes that contain the keys by which a format is recognised.
  private static let keyBytes = 4 << 20
  private static let keyCount = 256

  let value: JSONValue
  /// A sentence about truncation or damage.
  let note: String?

  /// - Throws: ``ParseError`` if no member could be read.
  init(reading bytes: ByteView, name: StaticString) throws(ParseError) {
    guard bytes.count <= Self.limits.bytes else {
      throw ParseError(
        .limit(name: "bytes of a JSON report", value: Self.limits.bytes), in: name.description,
        at: Self.limits.bytes)
    }
    var reader = JSONReader(bytes.bytes, reading: name, limits: Self.limits)
    var members: [JSONMember] = []
    var note: String?
    do throws(ParseError) {
      guard try reader.beginObject() else { throw reader.error(.truncated(needed: 1, left: 0)) }
      while try reader.nextKey() {
        let key = reader.key
        if let value = try reader.readValue() { members.append(JSONMember(key, value)) }
      }
      if let cut = reader.cut { note = "the report is cut off after \(cut) bytes" }
    } catch {
      guard !members.isEmpty else { throw error }
      note = "the JSON is damaged, the rest of it is missing: \(error)"
    }
    value = .object(members)
    self.note = note
  }

  /// The keys of the object with which `bytes` begin; empty if it is not an object.
  ///
  /// - Complexity: O(1): a bounded part of the start is read.
  static func keys(of bytes: ByteView) -> Set<String> {
    let head = bytes.clamped(0..<keyBytes)
    var reader = JSONReader(head.bytes, reading: "JSON", limits: limits)
    var keys: Set<String> = []
    do throws(ParseError) {
      guard try reader.peek() == .object, try reader.beginObject() else { return [] }
      while keys.count < keyCount, try reader.nextKey() { keys.insert(reader.key) }
    } catch {
      // The part before the damage determines the format.
    }
    return keys
  }
}
