internal import Statistics

/// Whether a release that is being rolled out crashes more often than the one before it, beyond chance.
///
/// The sessions of the new release that crashed are compared with those of the former one by ``FisherTest``.
///
/// A roll-out is looked at again and again, and each look could be misled by chance. So look *i* may use up
/// only alpha / (i (i + 1)) of alpha, which is alpha for all looks together, however many there are; and a
/// look comes only when there are twice as many sessions as at the last.
public enum RolloutTest {
  /// What the history calls it.
  public static let name = FisherTest.name
  /// How probable it may be that a roll-out is paused whose release crashes no more often.
  public static let alpha = 0.01
  /// Fewer sessions of either release are not looked at.
  public static let leastSessions = 100
  /// One device that crashes again and again pauses nothing.
  public static let leastInstalls = 3

  /// How many of the sessions of a release crashed.
  public struct Sessions: Hashable, Sendable {
    public var crashed: Int
    public var all: Int

    public init(crashed: Int, all: Int) {
      self.crashed = crashed
      self.all = all
    }

    /// Whether a rate follows from it.
    public var isUsable: Bool { sample.isUsable }

    fileprivate var sample: FisherTest.Sample { .init(marked: crashed, of: all) }
  }

  /// The level that a look has to be below.
  ///
  /// - Parameter look: From 1.
  public static func level(ofLook look: Int) -> Double {
    alpha / (Double(look) * (Double(look) + 1))
  }

  /// Whether there is something to look at.
  ///
  /// - Parameter last: The sessions of the new release at the last look; `nil` before the first.
  public static func isDue(sessions: Int, last: Int?) -> Bool {
    guard sessions >= leastSessions else { return false }
    guard let last else { return true }
    return sessions / 2 >= last
  }

  /// How probable it is that at least as many of the crashed sessions are the new release's if both crash
  /// alike.
  ///
  /// - Complexity: O(*n*) in the crashed sessions.
  public static func pValue(new: Sessions, former: Sessions) -> Double {
    FisherTest.pValue(of: new.sample, over: former.sample)
  }
}

/// One look at a roll-out.
public struct RolloutLook: Hashable, Sendable {
  /// From 1.
  public var number: Int
  /// Microseconds since 1970.
  public var time: Int
  public var new: RolloutTest.Sessions
  /// Installations of the new release that crashed.
  public var crashedInstalls: Int
  /// The name of the release that it is compared with.
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

  /// What it has to be below to pause the roll-out.
  public var level: Double { RolloutTest.level(ofLook: number) }

  /// Whether the new release crashes more often beyond chance.
  public var isWorse: Bool {
    pValue < level && crashedInstalls >= RolloutTest.leastInstalls
  }

  /// The test with its counts, for the history.
  public var text: String {
    "\(new.crashed) of \(new.all) sessions crashed, of \(formerRelease) "
      + "\(former.crashed) of \(former.all): p = \(Self.text(pValue)), "
      + "\(pValue < level ? "below" : "not below") \(Self.text(level)) "
      + "(\(RolloutTest.name), look \(number))"
      + (pValue < level && !isWorse
        ? ", but not on \(RolloutTest.leastInstalls) installations" : "")
  }

  /// Two digits.
  static func text(_ number: Double) -> String { "\(number.significant(2))" }
}
