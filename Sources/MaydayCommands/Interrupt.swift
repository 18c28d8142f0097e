import Bytes
import Glibc
import Synchronization

/// What happens on Ctrl-C: the line of a progress bar goes away, and the process dies of the signal,
/// as a shell expects. What has been stored is safe at any instant, so nothing else is to be done.
enum Interrupt {
  /// Whether the cursor stands on a line that is to be taken away.
  static let hasProgress = Atomic(false)

  static func install() {
    for number in [SIGINT, SIGTERM] {
      signal(number) { number in
        // Only what is allowed in a signal handler: write, signal, raise.
        if Interrupt.hasProgress.load(ordering: .relaxed) {
          let clear: StaticString = "\r\u{1b}[K"
          _ = write(STDERR_FILENO, clear.utf8Start, clear.utf8CodeUnitCount)
        }
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }

  /// The writing end of the pipe that tells of a signal; negative without one.
  private static let stop = Atomic<Int32>(-1)

  /// From now on the first signal asks to come to an end, and only the second one ends the process.
  ///
  /// - Returns: A descriptor that can be read once a signal came.
  /// - Throws: `FileError` when there is none left.
  static func stopDescriptor() throws(FileError) -> Int32 {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw FileError("open", path: "pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    stop.store(ends[1], ordering: .relaxed)
    // Asking whether a file is being written may send one; it means nothing.
    signal(SIGIO, SIG_IGN)
    for number in [SIGINT, SIGTERM] {
      signal(number) { number in
        var byte: UInt8 = 0
        _ = write(Interrupt.stop.load(ordering: .relaxed), &byte, 1)
        signal(number, SIG_DFL)
      }
    }
    return ends[0]
  }
}
