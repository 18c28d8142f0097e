public import CrashModel

/// When that came in which an erasure takes.
public enum ErasureSpan: Sendable {
  case everything
  /// All that is there when it was asked for, at a moment that is just past: what came in since stays.
  /// What seems to come in only later than the present was there before the clock was set back.
  case asked(at: Timestamp)
  /// What came in until it was asked for, long ago maybe.
  case until(Timestamp)

  /// What goes, as a condition over the time at which a row came in.
  ///
  /// - Parameter now: By the machine's clock.
  func takes(_ column: String, at now: Timestamp) -> String {
    switch self {
    case .everything: "true"
    case .asked(let time): "\(column) NOT BETWEEN \(time.microseconds + 1) AND \(now.microseconds)"
    case .until(let time): "\(column) <= \(time.microseconds)"
    }
  }
}
