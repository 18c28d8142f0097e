internal import Bytes
internal import Identifiers
internal import XML

/// A value of a property list, Apple's format for settings, in text or binary form.
enum PropertyList: Hashable, Sendable {
  case string(String)
  case integer(Int64)
  /// Integers beyond the signed range.
  case unsigned(UInt64)
  case real(Double)
  case boolean(Bool)
  case date(Timestamp)
  case data([UInt8])
  case array([PropertyList])
  case dictionary([String: PropertyList])
  /// References of an archive to one of its objects (only in binary lists), and empty values.
  case other

  /// - Throws: ``ParseError`` for bytes in neither form, damage, and at the limits.
  init(parsing bytes: ByteView) throws(ParseError) {
    guard bytes.count <= AppPackageLimits.manifestBytes else {
      throw ParseError(
        .limit(name: "bytes", value: AppPackageLimits.manifestBytes), in: "property list", at: 0)
    }
    if bytes.starts(with: BinaryPropertyList.magic) {
      self = try BinaryPropertyList.value(in: bytes)
    } else {
      self = try PropertyList(XMLElement(parsing: bytes, limits: AppPackageLimits.xml))
    }
  }

  subscript(key: String) -> PropertyList? {
    if case .dictionary(let members) = self { members[key] } else { nil }
  }

  var string: String? { if case .string(let text) = self { text } else { nil } }
  var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
  var date: Timestamp? { if case .date(let time) = self { time } else { nil } }
  var array: [PropertyList] { if case .array(let values) = self { values } else { [] } }

  /// A string, or a number as text.
  var text: String? {
    switch self {
    case .string(let text): text
    case .integer(let number): String(number)
    case .unsigned(let number): String(number)
    case .real(let number): number.description
    default: nil
    }
  }

  /// A number, or a string that holds one.
  var number: Int64? {
    switch self {
    case .integer(let number): number
    case .string(let text): Int64(text)
    default: nil
    }
  }
}
