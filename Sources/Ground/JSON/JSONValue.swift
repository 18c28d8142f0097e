internal import Bytes

/// A value of a document, as a tree.
public enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// Whole and above `Int64.max`.
  case unsigned(UInt64)
  case double(Double)
  case string(String)
  case array([JSONValue])
  /// In the order of the document, repeated keys included.
  case object([JSONMember])
}

/// A key and its value.
public struct JSONMember: Sendable, Hashable {
  public var key: String
  public var value: JSONValue

  public init(_ key: String, _ value: JSONValue) {
    self.key = key
    self.value = value
  }
}

extension JSONValue {
  /// The member of an object; of several with the same key the first.
  ///
  /// - Complexity: O(members).
  public subscript(key: String) -> JSONValue? { object?.first { $0.key == key }?.value }

  /// The element of an array, or `nil` past its end.
  public subscript(index: Int) -> JSONValue? {
    guard let array, array.indices.contains(index) else { return nil }
    return array[index]
  }

  public var object: [JSONMember]? { if case .object(let members) = self { members } else { nil } }

  public var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

  public var string: String? { if case .string(let text) = self { text } else { nil } }

  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  public var isNull: Bool { self == .null }

  /// The number, where it is whole and fits; `1.0` and `1e3` are whole.
  public var integer: Int? {
    switch self {
    case .integer(let value): Int(exactly: value)
    case .double(let value): Int(exactly: value)
    default: nil
    }
  }

  /// The number, where it is whole and from 0 to 2^64-1.
  public var unsigned: UInt64? {
    switch self {
    case .integer(let value): UInt64(exactly: value)
    case .unsigned(let value): value
    case .double(let value): UInt64(exactly: value)
    default: nil
    }
  }

  /// The number, as near as a `Double` comes.
  public var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// An address: a number, or a string of hexadecimal digits with `0x`, or of decimal digits.
  public var address: UInt64? {
    guard case .string(let text) = self else { return unsigned }
    return unsafe Array(text.utf8).span.bytes.unsignedNumber
  }
}
