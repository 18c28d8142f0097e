import Glibc
import Synchronization

/// Shows what a command prints page by page, where it goes to a terminal.
///
/// Standard output leads to the pager's input as long as it runs. `$MAYDAY_PAGER`, else `$PAGER`, else
/// `less` is called by a shell, as git does; empty or `cat` is none. `less` is told to end at once where
/// everything fits on the screen (F), to let colours through (R), and to leave the screen alone (X).
final class Pager {
  private static let terminal = Mutex<Int?>(nil)

  /// The columns of the terminal behind the pager; `nil` while there is no pager.
  static var terminalWidth: Int? { terminal.withLock { $0 } }

  private let child: pid_t
  private let output: Int32

  /// - Returns: `nil` where standard output is not a terminal, no pager is wanted, or none starts.
  init?() {
    guard isatty(STDOUT_FILENO) == 1, let command = Self.command else { return nil }
    let width = Console.terminalWidth
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
    if getenv("LESS") == nil { setenv("LESS", "FRX", 1) }
    let words: [String] = ["sh", "-c", command]
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    var child: pid_t = 0
    let status = posix_spawn(&child, "/bin/sh", &actions, nil, arguments, environ)
    close(ends[0])
    let saved = status == 0 ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3) : -1
    guard saved >= 0 else {
      close(ends[1])
      return nil
    }
    Self.terminal.withLock { $0 = width }
    dup2(ends[1], STDOUT_FILENO)
    close(ends[1])
    self.child = child
    output = saved
    // Ctrl-C is for the pager, which ends by itself.
    signal(SIGINT, SIG_IGN)
  }

  /// Waits until the reader has seen enough.
  func finish() {
    dup2(output, STDOUT_FILENO)
    close(output)
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    Self.terminal.withLock { $0 = nil }
  }

  private static var command: String? {
    for name in ["MAYDAY_PAGER", "PAGER"] {
      guard let value = getenv(name).map({ String(cString: $0) }) else { continue }
      return value.isEmpty || value == "cat" ? nil : value
    }
    // Without less, the text goes straight to the terminal.
    let folders = getenv("PATH").map { String(cString: $0) } ?? ""
    let hasLess = folders.split(separator: ":").contains { access("\($0)/less", X_OK) == 0 }
    return hasLess ? "less" : nil
  }
}

/// A command whose output a person reads from the top, page by page.
protocol PagedCommand {
  /// Whether this call prints text for a person.
  var isPaged: Bool { get }
}
