internal import Synchronization

/// Whether child processes may read files from outside where the kernel lacks a part of the
/// sandbox.
public enum SandboxPolicy {
  private static let required = Atomic<Bool>(false)

  /// Whether landlock and seccomp must both be in force, in each child process. Once they must,
  /// they must until the end.
  public static var isRequired: Bool { required.load(ordering: .relaxed) }

  /// From here on no child process reads a file without the whole sandbox.
  public static func require() { required.store(true, ordering: .relaxed) }

  /// Whether a process in this sandbox may read.
  public static func allows(_ status: SandboxStatus) -> Bool { !isRequired || status.isComplete }
}
