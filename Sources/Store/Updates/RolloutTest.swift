internal import Statistics

/// Tests whether a release that is being rolled out crashes more often than the previous one, beyond chance.
///
/// The crashed sessions of the new release are compared with those of the former one by ``FisherTest``.
///
/// A roll-out is tested repeatedly, and each look could be misled by chance. So look *i* may use only alpha
/// / (i (i + 1)) of alpha, which adds up to alpha for any number of looks; and each look requires twice as
/// many sessions as the last.
public enum RolloutTest {
  /// The name of the test in histories.
  public static let name = FisherTest.name
  /// Probability of pausing a roll-out whose release does not crash more often.
  public static let alpha = 0.01
  /// Minimum number of sessions of each release.
  public static let leastSessions = 100
  /// Minimum number of crashed installations, so that one device that crashes repeatedly pauses nothing.
  public static let leastInstalls = 3

  /// The number of crashed sessions of a release, and of all.
  public struct Sessions: Hashable, Sendable {
    public var crashed: Int
    public var all: Int

    public init(crashed: Int, all: Int) {
      self.crashed = crashed
      self.all = all
    }

    /// Whether a rate can be computed.
    public var isUsable: Bool { sample.isUsable }

    fileprivate var sample: FisherTest.Sample { .init(marked: crashed, of: all) }
  }

  /// The significance level of a look.
  ///
  /// - Parameter look: The number of the look, from 1.
  public static func level(ofLook look: Int) -> Double {
    alpha / (Double(look) * (Double(look) + 1))
  }

  /// Whether a look is due.
  ///
  /// - Parameter last: The sessions of the new release at the last look; `nil` before the first.
  public static func isDue(sessions: Int, last: Int?) -> Bool {
    guard sessions >= leastSessions else { return false }
    guard let last else { return true }
    return sessions / 2 >= last
  }

  /// The probability that at least as many of the crashed sessions belong to the new release if both crash
  /// equally often.
  ///
  /// - Complexity: O(*n*) in the crashed sessions.
  public static func pValue(new: Sessions, former: Sessions) -> Double {
    FisherTest.pValue(of: new.sample, over: former.sample)
  }
}

/// One look at a roll-out.
public struct RolloutCheck: Hashable, Sendable {
  /// From 1.
  public var number: Int
  /// Microseconds since 1970.
  public var time: Int
  public var new: RolloutTest.Sessions
  /// Installations of the new release that crashed.
  public var crashedInstalls: Int
  /// The name of the release for comparison.
  public var formerRelease: String
  public var former: RolloutTest.Sessions
  public var pValue: Double

  public init(
    number: Int, time: Int, new: RolloutTest.Sessions, crashedInstalls: Int, formerRelease: String,
    former: RolloutTest.Sessions, pValue: Double
  ) {
    self.number = number
    self.time = time
    self.new = new
    self.crashedInstalls = crashedInstalls
    self.formerRelease = formerRelease
    self.former = former
    self.pValue = pValue
  }

  /// The level that the p-value has to be below to pause the roll-out.
  public var level: Double { RolloutTest.level(ofLook: number) }

  /// Whether the new release crashes more often, beyond chance.
  public var isWorse: Bool {
    pValue < level && crashedInstalls >= RolloutTest.leastInstalls
  }

  /// The test with its counts, for the history.
  public var text: String {
    "\(counts) (\(RolloutTest.name), look \(number))"
      + (pValue < level && !isWorse
        ? ", but not on \(RolloutTest.leastInstalls) installations" : "")
  }

  /// The counts with their probability: `3 of 900 sessions crashed, of 1.0 2 of 800: p = 0.41, not below 0.005`.
  public var counts: String {
    "\(new.crashed) of \(new.all) sessions crashed, of \(formerRelease) "
      + "\(former.crashed) of \(former.all): p = \(Self.text(pValue)), "
      + "\(pValue < level ? "below" : "not below") \(Self.text(level))"
  }

  /// The result in words: `no sign that it crashes more often than 1.1.0`.
  public var verdict: String {
    if isWorse { return "it crashes more often than \(formerRelease)" }
    if pValue < level {
      return "more of its sessions crashed than of \(formerRelease), but on fewer than "
        + "\(RolloutTest.leastInstalls) installations"
    }
    return "no sign that it crashes more often than \(formerRelease)"
  }

  /// Formats a number with two significant digits.
  static func text(_ number: Double) -> String { "\(number.significant(2))" }
}
