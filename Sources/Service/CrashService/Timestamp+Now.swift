package import CrashModel
internal import CrashStore

extension Timestamp {
  /// The system's clock.
  package static var now: Timestamp { CrashStore.now }
}

extension Timestamp {
  /// The midnight in UTC of a day that is written `2026-03-01`; `nil` for anything else.
  package init?(day text: String) {
    let isDay = text.utf8.count == 10 && text.utf8.allSatisfy { (48...57).contains($0) || $0 == 45 }
    guard isDay, let time = Timestamp(text + "T00:00:00Z") else { return nil }
    self = time
  }
}
