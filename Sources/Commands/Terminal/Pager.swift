internal import Bytes
internal import ChildProcess
internal import Files
internal import Glibc
internal import Synchronization

/// Shows the output of a command page by page, where it goes to a terminal.
///
/// Standard output leads to the pager's input as long as it runs. `$MAYDAY_PAGER`, or `$PAGER`, or `less` is
/// run by a shell, as git does; empty or `cat` means no pager. `less` gets the options to exit at once if
/// everything fits on the screen (F), to pass colours through (R), and to leave the screen unchanged (X).
package final class Pager {
  private static let terminal = Mutex<Int?>(nil)

  /// The columns of the terminal to which the pager writes; `nil` while there is no pager.
  package static var terminalWidth: Int? { terminal.withLock { $0 } }

  private let child: ChildProcess
  private let output: Int32

  /// - Returns: `nil` where standard output is not a terminal, no pager is wanted, or none starts.
  package init?() {
    guard isatty(STDOUT_FILENO) == 1, let command = Self.command else { return nil }
    let width = Console.terminalWidth
    if getenv("LESS") == nil { setenv("LESS", "FRX", 1) }
    guard let pipe = try? OpenFile.pipe(),
      let child = try? ChildProcess(
        ["sh", "-c", command], program: "/bin/sh", input: pipe.reading.number,
        surroundings: .inherited)
    else { return nil }
    let saved = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    guard saved >= 0 else { return nil }
    Self.terminal.withLock { $0 = width }
    dup2(pipe.writing.number, STDOUT_FILENO)
    self.child = child
    output = saved
    // Ctrl-C is for the pager, which ends by itself.
    signal(SIGINT, SIG_IGN)
  }

  /// Waits until the user leaves the pager.
  package func finish() {
    dup2(output, STDOUT_FILENO)
    close(output)
    child.wait()
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
