internal import Bytes
internal import Files
internal import Glibc
internal import Rendering
internal import Synchronization

/// The progress of a long operation, on one line of standard error.
///
/// Nothing is printed unless standard error is a terminal, and nothing remains on it.
package final class ProgressBar: Sendable {
  private struct State {
    var isShown = false
    var lastDrawn: UInt64 = 0
  }

  private let title: String
  private let isOn: Bool
  private let state = Mutex(State())

  /// - Parameter title: The current operation, in a word or two.
  package init(_ title: String, isOn: Bool) {
    self.title = title
    self.isOn = isOn
  }

  /// Shows that `done` of `total` are done; without a total, only the count.
  package func update(_ done: Int, of total: Int?, detail: String = "") {
    guard isOn else { return }
    state.withLock { state in
      let now = Self.milliseconds
      guard !state.isShown || now &- state.lastDrawn > 100 || done == total else { return }
      state.isShown = true
      Interrupt.hasProgress.store(true, ordering: .relaxed)
      state.lastDrawn = now
      Self.draw(Self.line(title, done, of: total, detail: detail, width: 78))
    }
  }

  /// Clears the line.
  package func finish() {
    guard isOn else { return }
    state.withLock { state in
      if state.isShown { Self.draw("") }
      state.isShown = false
      Interrupt.hasProgress.store(false, ordering: .relaxed)
    }
  }

  deinit { finish() }

  package static func line(
    _ title: String, _ done: Int, of total: Int?, detail: String, width: Int
  ) -> String {
    var text = title + " "
    if let total, total > 0 {
      let cells = 20
      let filled = min(cells, max(0, done * cells / total))
      text += String(repeating: "█", count: filled) + String(repeating: "░", count: cells - filled)
      text += " \(done) of \(total)"
    } else {
      text += String(done)
    }
    let left = width - text.columns - 2
    if left > 8 && !detail.isEmpty { text += "  " + detail.printable.truncatedAtStart(to: left) }
    return text
  }

  private static func draw(_ line: String) {
    let bytes = Array(("\r\u{1b}[K" + line).utf8)
    _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  private static var milliseconds: UInt64 { UInt64(SteadyClock.nanoseconds / 1_000_000) }
}
