/// How much alike two stacks are.
public struct Likeness: Hashable, Comparable, Sendable {
  /// From 0, nothing in common, to 1,000,000, the same.
  public let millionths: Int
  /// How many frames of either have a partner in the other, of those that say more than how the
  /// process died.
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
