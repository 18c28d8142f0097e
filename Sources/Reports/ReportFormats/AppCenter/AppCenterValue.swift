internal import Identifiers
internal import JSON

/// Reading of App Center's values.
extension JSONValue {
  /// A log with an absolute time, if it only has the milliseconds between event and sending, as with SDKs
  /// before 1.0.
  ///
  /// - Parameter received: The time of arrival, taken as the time of sending.
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

  /// A map of names to text, and the list of typed properties that newer SDKs send in its place; up to the
  /// limit.
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
