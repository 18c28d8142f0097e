import Glibc
import TestSupport

/// A run of the built program that continues while the test does something else; its output is
/// dropped.
struct BackgroundRun {
  private let process: pid_t

  init(_ arguments: [String]) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for number in 0...2 as ClosedRange<Int32> {
      posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
    }
    let words = Self.cStrings([BuiltProgram.mayday] + arguments)
    let settings = Self.cStrings(["SWIFT_BACKTRACE=enable=no"])
    defer { for text in words + settings { free(text) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, BuiltProgram.mayday, &actions, nil, words, settings)
    self.process = code == 0 ? process : -1
  }

  /// `texts` as a C array: pointers, the last one null.
  private static func cStrings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { text in strdup(text) } + [nil]
  }

  /// Kills it with SIGKILL; it may have ended before.
  func kill() {
    if process > 0 { _ = Glibc.kill(process, SIGKILL) }
  }

  /// The exit status, 128 plus the signal if it was killed; -1 if it never started.
  func wait() -> Int32 {
    guard process > 0 else { return -1 }
    var state: Int32 = 0
    while waitpid(process, &state, 0) < 0 && errno == EINTR {}
    return state & 0x7f == 0 ? (state >> 8) & 0xff : 128 + (state & 0x7f)
  }
}
