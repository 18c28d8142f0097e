public import Bytes

/// Whole documents, read into a tree.
public enum JSONDocument {
  /// Reads the document at the start of `bytes`; what follows it is left alone.
  ///
  /// - Returns: The tree, where the document ends, and where it was cut off if it was: everything
  ///   before the cut is in the tree.
  /// - Throws: ``ParseError`` with the offset, for damage, for no document at all, and past a
  ///   limit.
  /// - Complexity: O(n).
  public static func parse(
    _ bytes: ByteView, limits: JSONLimits = .report
  ) throws(ParseError) -> JSONParse {
    guard bytes.count <= limits.bytes else {
      throw ParseError(
        .limit(name: "bytes of a document", value: limits.bytes), in: "JSON", at: limits.bytes)
    }
    var reader = JSONReader(bytes.bytes, limits: limits)
    guard let value = try reader.readValue() else {
      throw reader.error(.truncated(needed: 1, left: 0))
    }
    return JSONParse(value: value, cut: reader.cut, end: reader.position)
  }
}

/// The outcome of a document.
public struct JSONParse: Sendable {
  public let value: JSONValue
  /// The offset at which the document was cut off, in bytes; `nil` when it is complete.
  public let cut: Int?
  /// The offset of the first byte after the document.
  public let end: Int
}

extension JSONReader {
  /// The next value, as a tree.
  ///
  /// - Returns: `nil` when there is none or it is cut off before anything of it is known; a
  ///   container that is cut off has everything before the cut.
  /// - Throws: ``ParseError`` for damage, and past a limit.
  /// - Complexity: O(n).
  @_lifetime(self: copy self)
  public mutating func readValue() throws(ParseError) -> JSONValue? {
    var nodes = limits.nodes
    return try readValue(nodes: &nodes)
  }

  /// The recursion ends at the limit of depth.
  @_lifetime(self: copy self)
  private mutating func readValue(nodes: inout Int) throws(ParseError) -> JSONValue? {
    nodes -= 1
    guard nodes >= 0 else { throw error(.limit(name: "values", value: limits.nodes)) }
    switch try peek() {
    case .object:
      var members: [JSONMember] = []
      guard try beginObject() else { return nil }
      while try nextKey() {
        let key = key
        guard let value = try readValue(nodes: &nodes) else { break }
        members.append(JSONMember(key, value))
      }
      return .object(members)
    case .array:
      var elements: [JSONValue] = []
      guard try beginArray() else { return nil }
      while try nextElement() {
        guard let value = try readValue(nodes: &nodes) else { break }
        elements.append(value)
      }
      return .array(elements)
    case .string: return try readString().map { .string($0) }
    case .number: return try readNumber().map { JSONValue($0) }
    case .bool: return try readBool().map { .bool($0) }
    case .null:
      try skipValue()
      return cut == nil ? .null : nil
    case .end:
      _ = cutHere()
      return nil
    }
  }
}

extension JSONValue {
  fileprivate init(_ number: JSONNumber) {
    switch number {
    case .double(let value): self = .double(value)
    case .whole(let magnitude, isNegative: false):
      self = magnitude <= UInt64(Int64.max) ? .integer(Int64(magnitude)) : .unsigned(magnitude)
    case .whole(let magnitude, isNegative: true):
      self = .integer(magnitude == 1 << 63 ? .min : 0 &- Int64(truncatingIfNeeded: magnitude))
    }
  }
}
