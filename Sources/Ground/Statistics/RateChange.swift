internal import Glibc

/// How a number of events changed from one period to the next, and whether that is more than chance.
///
/// A rise is tested with ``PoissonTest``, and so is a fall, with the periods exchanged.
public struct RateChange: Hashable, Sendable {
  /// The name of the test in texts.
  public static let name = PoissonTest.name
  /// The largest probability of a change that is not taken for chance: in a list of fifty, some change is
  /// mistaken once in twenty lists.
  public static let mostPValue = 0.001

  public let now: PoissonTest.Sample
  public let before: PoissonTest.Sample

  public init(_ now: PoissonTest.Sample, after before: PoissonTest.Sample) {
    self.now = now
    self.before = before
  }

  /// Whether the rate is higher than before.
  public var isRise: Bool {
    Double(now.count) * before.time > Double(before.count) * now.time
  }

  /// The natural logarithm of the probability that chance alone causes such a change; 0 without any.
  private var logPValue: Double {
    guard Double(now.count) * before.time != Double(before.count) * now.time else { return 0 }
    return isRise
      ? PoissonTest.logPValue(of: now, over: before)
      : PoissonTest.logPValue(of: before, over: now)
  }

  /// The probability that chance alone causes such a change.
  public var pValue: Double { exp(logPValue) }

  /// Whether it is more than chance.
  public var isCertain: Bool { pValue <= Self.mostPValue }

  /// The evidence of a rise, by which groups are ordered: the negative decimal logarithm of ``pValue``, in
  /// thousandths. Negative for a fall.
  public var evidence: Int {
    let thousandths = Int((min(-logPValue / log(10), 1e9) * 1_000).rounded())
    return isRise ? thousandths : -thousandths
  }
}
