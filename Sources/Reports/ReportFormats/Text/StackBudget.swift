/// The number of frames and exceptions that a report may still take.
struct StackBudget {
  /// Exceptions of one report, causes included.
  private static let exceptions = 256

  private var frames = FormatLimits.framesPerStack
  private var exceptions = Self.exceptions
  private(set) var leftOut = 0

  /// Whether there is room for one more frame, which is taken.
  mutating func takeFrame() -> Bool {
    guard frames > 0 else {
      leftOut += 1
      return false
    }
    frames -= 1
    return true
  }

  /// Whether there is room for one more exception, which is taken.
  mutating func takeException() -> Bool {
    guard exceptions > 0 else { return false }
    exceptions -= 1
    return true
  }

  /// The report's note about omitted frames.
  var note: String? { leftOut > 0 ? "\(leftOut) frames beyond a limit were left out" : nil }
}
