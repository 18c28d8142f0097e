public import Bytes
internal import Glibc
internal import Synchronization

/// A program started by this one. It is killed when the object is released, unless it has ended.
public final class ChildProcess: Sendable {
  /// The parts of this process's environment that the child inherits.
  public enum Surroundings: Sendable {
    /// Nothing: no environment, no blocked or ignored signals, no standard error.
    case none
    /// Everything.
    case inherited
    /// Everything except signals from the terminal, which go to this process's group.
    case inheritedOutsideGroup
  }

  /// The environment of a child that inherits none; with a time zone set, none is looked up.
  private static let bareEnvironment = ["TZ=UTC0", "LC_ALL=C.UTF-8", "SWIFT_BACKTRACE=enable=no"]

  private let number: pid_t
  /// The exit status, once it was waited for: after that, its number may belong to another process.
  private let status = Mutex<ExitStatus?>(nil)

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - arguments: The first is the name that the program is given.
  ///   - program: Its path. Default: this program.
  ///   - input: The descriptor that becomes its standard input; the caller still owns it.
  ///   - output: The descriptor that becomes its standard output. Default: that of this process.
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
      // A blocked or ignored signal would be inherited: a closed pipe must end the process.
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
    // The system forgets the process under the lock, so no signal reaches a new process of its
    // number.
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

  /// Ends the process, which has closed its output, and returns how it ended.
  ///
  /// A process that is already exiting keeps its exit status: the kernel closes descriptors after
  /// recording it. One that is not is killed here: `nil`.
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

  /// Passes `texts` as C expects them: pointers, the last one null.
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
