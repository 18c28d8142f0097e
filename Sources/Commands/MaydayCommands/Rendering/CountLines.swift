import Terminal
import Files
import Glibc

/// Progress of a long task without a terminal for a progress bar: a line now and then, none for
/// tasks that finish at once.
final class CountLines {
  /// Seconds between two lines.
  private static let pause = 10

  private let what: String
  private let isOn: Bool
  private var last = CountLines.now

  /// - Parameter what: Noun for the counted things, after the numbers.
  init(_ what: String, isOn: Bool) {
    self.what = what
    self.isOn = isOn
  }

  func update(_ done: Int, of total: Int) {
    guard isOn, Self.now - last >= Self.pause, done < total else { return }
    last = Self.now
    Console.say("\(done) of \(total) \(what)")
  }

  private static var now: Int { Int(SteadyClock.seconds) }
}
