/// The status of a session, as a client reports it. Later ones in this order take precedence: a session that
/// crashed stays crashed, whatever is reported afterwards.
public enum SessionStatus: String, Hashable, Sendable, CaseIterable, Comparable {
  /// It began or is still active.
  case ok
  /// It ended normally.
  case exited
  /// It had handled errors, which are not crashes.
  case errored
  /// It ended without a known crash: hung, killed by the system, or lost.
  case abnormal
  /// It ended with a crash.
  case crashed

  public static func < (left: SessionStatus, right: SessionStatus) -> Bool {
    left.weight < right.weight
  }

  private var weight: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
