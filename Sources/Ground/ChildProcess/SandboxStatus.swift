internal import CSandbox

/// The protection of the machine from a child process, besides the limits on its memory,
/// time and descriptors, which are always in force.
public struct SandboxStatus: Equatable, Sendable, CustomStringConvertible {
  /// Whether no file can be opened, whatever its permissions.
  public let landlock: Bool
  /// Whether only a short list of system calls is left.
  public let seccomp: Bool

  /// Whether both are in force.
  public var isComplete: Bool { landlock && seccomp }

  /// The SANDBOX_ bits of CSandbox.h, as the process reports them.
  public let bits: Int32

  public init(bits: Int32) {
    self.bits = bits
    landlock = bits & SANDBOX_LANDLOCK != 0
    seccomp = bits & SANDBOX_SECCOMP != 0
  }

  public var description: String {
    switch (landlock, seccomp) {
    case (true, true): "limits, landlock, seccomp"
    case (true, false): "limits, landlock; this kernel has no seccomp filter"
    case (false, true): "limits, seccomp; this kernel has no landlock"
    case (false, false): "limits only; this kernel has neither landlock nor a seccomp filter"
    }
  }
}
