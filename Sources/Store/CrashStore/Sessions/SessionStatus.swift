/// How a session went, as a client reports it. Later ones in this order weigh more: a session that crashed stays
/// crashed, whatever is reported of it afterwards.
public enum SessionStatus: String, Hashable, Sendable, CaseIterable, Comparable {
  /// It began, or goes on.
  case ok
  /// It ended as it should.
  case exited
  /// There were handled errors in it, which are no crashes.
  case errored
  /// It ended without a crash that is known: hung, killed by the system, or lost.
  case abnormal
  /// It ended with a crash.
  case crashed

  public static func < (left: SessionStatus, right: SessionStatus) -> Bool {
    left.weight < right.weight
  }

  private var weight: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
