internal import CrashStore
package import Identifiers

extension Timestamp {
  /// The current time of the system's clock.
  package static var now: Timestamp { CrashStore.now }
}

extension Timestamp {
  /// Creates the midnight in UTC of a day such as `2026-03-01`; `nil` for any other text.
  package init?(day text: String) {
    let isDay = text.utf8.count == 10 && text.utf8.allSatisfy { (48...57).contains($0) || $0 == 45 }
    guard isDay, let time = Timestamp(text + "T00:00:00Z") else { return nil }
    self = time
  }
}
