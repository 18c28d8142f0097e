/// How often a request is tried, and how long after a failure the next try comes.
///
/// The wait doubles, and is drawn from the upper half of its range, so that clients that failed together do
/// not return together.
public struct RetryPlan: Sendable {
  /// All tries, the first included.
  public var tries = 6
  /// The longest first wait, in seconds.
  public var first = 0.5
  /// The longest wait that the server did not ask for, in seconds.
  public var longest = 30.0
  /// The longest wait that a server may ask for, in seconds; a longer one ends the attempts.
  public var patience = 300

  public init() {}

  /// Seconds until the next try; `nil` where there is none.
  ///
  /// - Parameters:
  ///   - failures: How many tries have failed.
  ///   - asked: The wait that the server asked for.
  public func wait(
    after failures: Int, asked: Int?, using random: inout some RandomNumberGenerator
  ) -> Double? {
    guard failures < tries, asked ?? 0 <= patience else { return nil }
    var most = first
    for _ in 1..<max(failures, 1) where most < longest { most *= 2 }
    most = min(most, longest)
    return max(Double(asked ?? 0), Double.random(in: most / 2...most, using: &random))
  }
}
