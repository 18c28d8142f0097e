package import Bytes
internal import Glibc
package import Synchronization

/// The action on Ctrl-C: the line of a progress bar is cleared, and the process dies of the signal, as a
/// shell expects. Stored data is safe at any instant, so nothing else has to be done.
package enum Interrupt {
  /// Whether the cursor is on a line that has to be cleared.
  package static let hasProgress = Atomic(false)

  package static func install() {
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

  /// The writing end of the pipe that reports a signal; negative without one.
  private static let stop = Atomic<Int32>(-1)

  /// The bytes that can be read from a signal descriptor.
  package enum Event: UInt8 {
    case stop, reload
  }

  /// Makes the first signal a request to stop; only the second one ends the process.
  ///
  /// - Parameter reloads: Whether SIGHUP asks to reload the configuration; otherwise it ends the process.
  /// - Returns: A descriptor that becomes readable when a signal arrives: an ``Event`` for each.
  /// - Throws: `FileError` when no descriptor is left.
  package static func stopDescriptor(reloads: Bool = false) throws(FileError) -> Int32 {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw FileError("open", path: "pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    stop.store(ends[1], ordering: .relaxed)
    // Asking whether a file is being written may send SIGIO, which means nothing here.
    signal(SIGIO, SIG_IGN)
    for number in [SIGINT, SIGTERM] {
      signal(number) { number in
        var byte = Event.stop.rawValue
        _ = write(Interrupt.stop.load(ordering: .relaxed), &byte, 1)
        signal(number, SIG_DFL)
      }
    }
    if reloads {
      // A pipe that is full of reload requests must not block the request to stop.
      _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
      signal(SIGHUP) { _ in
        var byte = Event.reload.rawValue
        _ = write(Interrupt.stop.load(ordering: .relaxed), &byte, 1)
      }
    }
    return ends[0]
  }

  /// Waits for a signal.
  ///
  /// - Returns: `nil` after this many milliseconds without one.
  package static func event(from descriptor: Int32, within milliseconds: Int32) -> Event? {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    var result: Int32
    repeat { result = poll(&ready, 1, milliseconds) } while result < 0 && errno == EINTR
    guard result > 0 else { return nil }
    var byte: UInt8 = 0
    guard read(descriptor, &byte, 1) == 1 else { return .stop }
    return Event(rawValue: byte) ?? .stop
  }
}
