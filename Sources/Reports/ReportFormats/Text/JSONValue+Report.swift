internal import Identifiers
internal import JSON

/// Values of reports in JSON, in the spellings of SDKs and users: `null` counts as missing, a number may be
/// text.
extension JSONValue {
  /// The member of an object; the last that is not `null` if several have the same key.
  ///
  /// The vendor's own examples repeat keys with other values; the later one agrees with the corresponding
  /// logs.
  func member(_ key: String) -> JSONValue? {
    object?.last { $0.key == key && !$0.value.isNull }?.value
  }

  /// Text that is not empty; numbers and Booleans as written.
  var text: String? {
    switch self {
    case .string(let text): text.isEmpty ? nil : text
    case .integer(let value): String(value)
    case .unsigned(let value): String(value)
    case .double(let value): value.description
    case .bool(let value): String(value)
    case .null, .array, .object: nil
    }
  }

  /// A whole number, or one as text.
  var number: Int? {
    if case .string(let text) = self { return Int(text) }
    return integer
  }

  var truth: Bool? {
    switch self {
    case .bool(let value): value
    case .string("true"), .string("True"), .integer(1): true
    case .string("false"), .string("False"), .integer(0): false
    default: nil
    }
  }

  func text(_ key: String) -> String? { member(key)?.text }
  func number(_ key: String) -> Int? { member(key)?.number }
  func address(_ key: String) -> UInt64? { member(key)?.address }
  func list(_ key: String) -> [JSONValue] { member(key)?.array ?? [] }
  func time(_ key: String) -> Timestamp? { text(key).flatMap { Timestamp($0) } }
}

extension String {
  /// A UUID in one spelling: lower case with dashes. Anything else unchanged, in lower case.
  var canonicalUUID: String {
    let digits = utf8.filter { $0 != UInt8(ascii: "-") && $0 != 0x7b && $0 != 0x7d }
    guard digits.count == 32,
      digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit })
    else { return cut(1024).lowercased() }
    let text = String(decoding: digits, as: UTF8.self).lowercased()
    var result = ""
    for (index, digit) in text.enumerated() {
      if [8, 12, 16, 20].contains(index) { result.append("-") }
      result.append(digit)
    }
    return result
  }
}
