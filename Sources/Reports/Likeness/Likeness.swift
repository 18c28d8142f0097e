/// The similarity of two stacks.
public struct Likeness: Hashable, Comparable, Sendable {
  /// From 0 (nothing in common) to 1,000,000 (equal).
  public let millionths: Int
  /// The number of frames of either stack that have a partner in the other, without those that show only how
  /// the process died.
  public let matchedFrames: Int

  public init(millionths: Int, matchedFrames: Int) {
    self.millionths = millionths
    self.matchedFrames = matchedFrames
  }

  public static func < (left: Likeness, right: Likeness) -> Bool {
    (left.millionths, left.matchedFrames) < (right.millionths, right.matchedFrames)
  }

  /// With two decimals, rounded down: `.87`, `1.00`.
  public var text: String {
    let hundredths = millionths / 10_000
    return (hundredths < 100 ? "." : "1.") + (hundredths % 100 < 10 ? "0" : "")
      + String(hundredths % 100)
  }
}
