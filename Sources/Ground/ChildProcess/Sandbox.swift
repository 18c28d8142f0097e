internal import CSandbox

/// The rights that a child process gives up before it reads the first byte from outside.
public enum Sandbox {
  /// Closes all descriptors from 3 on, and gives up, for good, everything that reading a hostile
  /// file from an open descriptor does not need. Call it with a single thread.
  ///
  /// - Parameters:
  ///   - bytes: The most address space.
  ///   - seconds: The most processor time.
  /// - Returns: The parts in force; `nil` when a step failed that every kernel has.
  public static func enter(bytes: UInt64, seconds: UInt64) -> SandboxStatus? {
    sandbox_close_from(3)
    let inForce = sandbox_enter(bytes, UInt32(clamping: seconds))
    return inForce >= 0 ? SandboxStatus(bits: inForce) : nil
  }
}
