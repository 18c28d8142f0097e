import Bytes
import Glibc
import TestSupport

/// The built program while it runs.
final class RunningMayday {
  let process: pid_t
  private let folder = ScratchFolder()
  private var status: Int32?

  /// - Parameters:
  ///   - program: A program that runs the built program in its place, with the same process id.
  ///   - environment: Further variables.
  init(
    _ arguments: [String], home: String, program: String = BuiltProgram.mayday,
    environment more: [String] = []
  ) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    let flags = O_WRONLY | O_CREAT | O_APPEND
    posix_spawn_file_actions_addopen(&actions, 1, folder.path("output"), flags, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, folder.path("errors"), flags, 0o600)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The test threads block signals, which a program would inherit.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let environment =
      ["MAYDAY_HOME=\(home)", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "SWIFT_BACKTRACE=enable=no"]
      + more
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    var variables = environment.map { strdup($0) } + [nil]
    var number: pid_t = 0
    posix_spawn(&number, program, &actions, &attributes, &words, &variables)
    for text in words + variables { free(text) }
    process = number
  }

  var output: String { text("output") }
  var errors: String { text("errors") }

  private func text(_ name: String) -> String {
    do throws(FileError) {
      return try ByteView(reading: folder.path(name), limit: 1 << 26).text
    } catch {
      return ""
    }
  }

  /// Sends a signal and waits for the end.
  ///
  /// - Returns: The exit status, 128 plus the signal if killed.
  @discardableResult
  func stop(_ signal: Int32 = SIGINT) -> Int32 {
    if let status { return status }
    kill(process, signal)
    var state: Int32 = 0
    while waitpid(process, &state, 0) < 0 && errno == EINTR {}
    let result = state & 0x7f == 0 ? (state >> 8) & 0xff : 128 + (state & 0x7f)
    status = result
    return result
  }

  /// Waits until `condition` holds, at most two minutes: other programs may use the processors.
  ///
  /// - Returns: Whether it does.
  static func wait(_ condition: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(120)
    while ContinuousClock.now < end {
      if try condition() { return true }
      usleep(20_000)
    }
    return try condition()
  }

  deinit { stop(SIGKILL) }
}
