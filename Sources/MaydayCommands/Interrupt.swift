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
}
