public import Bytes
internal import Glibc
internal import Synchronization

/// A program that this one has started. It is killed when the object goes, unless it has ended.
public final class ChildProcess: Sendable {
  /// The parts of this process that the child inherits.
  public enum Surroundings: Sendable {
    /// Nothing: no environment, no signals that are blocked or ignored, no standard error.
    case none
    /// All of it.
    case inherited
    /// All of it, but not the signals of the terminal, which go to the group of this process.
    case inheritedOutsideGroup
  }

  /// Nothing of the surroundings reaches it; with the time zone given, none is looked up.
  private static let bareEnvironment = ["TZ=UTC0", "LC_ALL=C.UTF-8", "SWIFT_BACKTRACE=enable=no"]

  private let number: pid_t
  /// How it ended, once it was waited for: its number may be another process's then.
  private let status = Mutex<ExitStatus?>(nil)

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - arguments: The first is what it is called.
  ///   - program: Its path; this program unless given.
  ///   - input: The descriptor that becomes its standard input; it stays the caller's.
  ///   - output: The descriptor that becomes its standard output; that of this process unless
  ///     given.
  /// - Throws: `FileError` with the system's reason.
  public init(
    _ arguments: [String], program: String = "/proc/self/exe", input: Int32,
    output: Int32? = nil, surroundings: Surroundings
  ) throws(FileError) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    if let output { posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    switch surroundings {
    case .none:
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
      // A blocked or ignored signal would be inherited: a closed pipe has to end the process.
      var signals = sigset_t()
      sigemptyset(&signals)
      posix_spawnattr_setsigmask(&attributes, &signals)
      sigfillset(&signals)
      posix_spawnattr_setsigdefault(&attributes, &signals)
      posix_spawnattr_setflags(
        &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    case .inherited: break
    case .inheritedOutsideGroup:
      posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    }
    var process: pid_t = 0
    let code = Self.withCStrings(arguments) { arguments in
      if case .none = surroundings {
        return Self.withCStrings(Self.bareEnvironment) {
          posix_spawn(&process, program, &actions, &attributes, arguments, $0)
        }
      }
      return posix_spawn(&process, program, &actions, &attributes, arguments, environ)
    }
    guard code == 0 else { throw FileError("start", path: program, code: code) }
    number = process
  }

  /// Sends a signal, unless the process was waited for.
  public func send(_ signal: Int32) {
    status.withLock { if $0 == nil { kill(number, signal) } }
  }

  /// Waits until the process has ended.
  @discardableResult
  public func wait() -> ExitStatus {
    // The system forgets it under the lock, so that nobody signals a new process of its number.
    var info = siginfo_t()
    while waitid(P_PID, id_t(number), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    return status.withLock { status in
      if let status { return status }
      var waited: Int32 = 0
      while waitpid(number, &waited, 0) < 0, errno == EINTR {}
      let ended = ExitStatus(waited: waited)
      status = ended
      return ended
    }
  }

  /// Ends the process, which has closed its output, and shows how it came to that.
  ///
  /// One that is on its way out keeps the status that it leaves with: the kernel closes descriptors
  /// after it has noted how a process ends. One that is not is killed here: `nil`.
  public func end() -> ExitStatus? {
    send(SIGKILL)
    let status = wait()
    return status.signal == SIGKILL ? nil : status
  }

  deinit {
    guard status.withLock({ $0 == nil }) else { return }
    send(SIGKILL)
    wait()
  }

  /// `texts` as C wants them: pointers, the last one null.
  private static func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { preconditionFailure("ends in a null") }
      return body(start)
    }
  }
}
