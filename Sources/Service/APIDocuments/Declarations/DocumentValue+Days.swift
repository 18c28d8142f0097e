internal import CrashService
package import Documents
package import Identifiers

extension DocumentValue where Value == Timestamp {
  /// A day, as its midnight in UTC.
  package static var day: DocumentValue<Timestamp> {
    DocumentValue(
      text: .day, "a day", example: "2026-03-01", write: { String($0.description.prefix(10)) },
      read: { Timestamp(day: $0) })
  }
}

extension Timestamp {
  /// The initial value for reading.
  static var zero: Timestamp { Timestamp(seconds: 0) }
}
