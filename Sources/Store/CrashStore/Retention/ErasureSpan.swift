public import Identifiers

/// The times of receipt that an erasure covers.
public enum ErasureSpan: Sendable {
  case everything
  /// Everything that was there when the erasure was requested, a moment ago: anything received since
  /// stays. Rows with a time of receipt in the future were there before the clock was set back.
  case asked(at: Timestamp)
  /// Everything received until the request, which may be long ago.
  case until(Timestamp)

  /// An SQL condition on a column with the time of receipt, true for rows to be erased.
  ///
  /// - Parameter now: The time by the machine's clock.
  func takes(_ column: String, at now: Timestamp) -> String {
    switch self {
    case .everything: "true"
    case .asked(let time): "\(column) NOT BETWEEN \(time.microseconds + 1) AND \(now.microseconds)"
    case .until(let time): "\(column) <= \(time.microseconds)"
    }
  }
}
