package import Glibc
internal import Synchronization

/// Which program is started to unpack.
public enum UnpackProgram {
  private static let stored = Mutex("/proc/self/exe")

  /// A program that calls ``UnpackChild/run()`` when its first argument is
  /// ``UnpackChild/subcommand``: this one, unless somebody says otherwise, as tests do.
  public static var path: String {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }

  /// Starts `program` with `input` and `output` as its standard descriptors; what it writes to
  /// standard error is dropped.
  ///
  /// - Returns: The process's number, or `nil` with the `errno` of the failure.
  package static func start(
    _ program: String, _ arguments: [String], input: Int32, output: Int32
  ) -> (process: pid_t?, code: Int32) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)

    // A blocked or ignored signal would be inherited: a closed pipe has to end the process.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    // Nothing of the surroundings reaches it; with the time zone given, none is looked up.
    let environment = ["TZ=UTC0", "LC_ALL=C.UTF-8", "SWIFT_BACKTRACE=enable=no"]
    var process: pid_t = 0
    let code = withCStrings(arguments) { arguments in
      withCStrings(environment) { environment in
        posix_spawn(&process, program, &actions, &attributes, arguments, environment)
      }
    }
    return (code == 0 ? process : nil, code)
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
