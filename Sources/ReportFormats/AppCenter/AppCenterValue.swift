internal import CrashModel
internal import JSON

/// How App Center's values are read: what posts written by hand spell otherwise than the SDKs is
/// taken too, and `null` is as good as nothing.
extension JSONValue {
  /// The member of an object; of several with the same key the last that is not `null`.
  ///
  /// The vendor's own examples repeat keys with other values; the later one is what agrees with the
  /// logs that belong to them.
  func member(_ key: String) -> JSONValue? {
    object?.last { $0.key == key && !$0.value.isNull }?.value
  }

  /// Text that is not empty; numbers and truth values as they are written.
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

  /// A log with its time, where it only shows how many milliseconds before it was sent that was, as
  /// SDKs before 1.0 do.
  ///
  /// - Parameter received: When it came, which is when it was sent.
  func timed(by received: Timestamp?) -> JSONValue {
    guard case .object(let members) = self, member("timestamp") == nil,
      let offset = number("toffset"), let received
    else { return self }
    let (ago, overflow) = offset.multipliedReportingOverflow(by: 1_000)
    let (time, isOff) = received.microseconds.subtractingReportingOverflow(ago)
    guard !overflow, !isOff, time >= 0 else { return self }
    let rest = members.filter { $0.key != "toffset" && $0.key != "timestamp" }
    let text = Timestamp(microseconds: time).description
    return .object(rest + [JSONMember("timestamp", .string(text))])
  }

  func time(_ key: String) -> Timestamp? { text(key).flatMap { Timestamp($0) } }

  /// A map of names to text, and the list of typed properties that newer SDKs send in its place; at
  /// most as many as are taken.
  var properties: [(name: String, value: String)] {
    var found: [(name: String, value: String)] = []
    var seen: Set<String> = []
    func add(_ name: String, _ value: JSONValue) {
      guard found.count < AppCenterLimits.properties, !name.isEmpty, let text = value.text,
        seen.insert(name).inserted
      else { return }
      found.append((name.cut(AppCenterLimits.textBytes), text.cut(AppCenterLimits.textBytes)))
    }
    for typed in list("typedProperties") {
      if let name = typed.text("name"), let value = typed.member("value") { add(name, value) }
    }
    let map = member("properties")
    for member in (map?.object ?? []).reversed() { add(member.key, member.value) }
    return found.sorted { $0.name < $1.name }
  }
}

extension String {
  /// A UUID in one spelling: lower case with dashes. Anything else stays as it is, in lower case.
  var canonicalUUID: String {
    let digits = utf8.filter { $0 != UInt8(ascii: "-") && $0 != 0x7b && $0 != 0x7d }
    guard digits.count == 32,
      digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit })
    else { return cut(AppCenterLimits.textBytes).lowercased() }
    let text = String(decoding: digits, as: UTF8.self).lowercased()
    var result = ""
    for (index, digit) in text.enumerated() {
      if [8, 12, 16, 20].contains(index) { result.append("-") }
      result.append(digit)
    }
    return result
  }
}
