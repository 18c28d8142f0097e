internal import Synchronization

/// Whether child processes may read files from outside where the kernel lacks a part of the sandbox.
public enum SandboxPolicy {
  private static let required = Atomic<Bool>(false)

  /// Whether landlock and seccomp must both be in force, in each child process.
  public static var isRequired: Bool { required.load(ordering: .relaxed) }

  /// From here on no child process reads a file without the whole sandbox.
  ///
  /// - Parameter program: The program that is started to look.
  /// - Throws: ``ArchiveError`` where this machine does not have all of it, with what is missing.
  public static func require(program: String = UnpackProgram.path) throws(ArchiveError) {
    required.store(true, ordering: .relaxed)
    try check(ArchiveReader.sandbox(program: program), for: "sandbox")
  }

  /// - Throws: ``ArchiveError`` where a part is missing that is required.
  static func check(_ status: SandboxStatus, for archive: String) throws(ArchiveError) {
    guard !isRequired || status.isComplete else {
      throw ArchiveError(.incompleteSandbox(status.description), in: archive)
    }
  }
}
