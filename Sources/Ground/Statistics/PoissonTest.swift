internal import Glibc

/// The exact one-sided test of two Poisson rates: whether something now happens more often than chance
/// explains.
///
/// It happened *c* times in a period *t*, and *d* times in an earlier period *u*. If both had the same rate,
/// each of the *c + d* events would fall into the first with the probability *q = t / (t + u)*, and their
/// number there would have a binomial distribution:
///
///     p = sum over k = c ... c + d of  C(c + d, k) q^k (1 - q)^(c + d - k)
///
/// Source: J. Przyborowski and H. Wilenski, Homogeneity of results in testing samples from Poisson series, 1940.
public enum PoissonTest {
  /// The name of the test for texts.
  public static let name = "the exact test of two Poisson rates, one-sided"

  /// A number of events in a period of any unit.
  public struct Sample: Hashable, Sendable {
    public var count: Int
    public var time: Double

    public init(_ count: Int, in time: Double) {
      self.count = count
      self.time = time
    }
  }

  /// The probability that at least as many events fall into `sample` if both have the same rate.
  ///
  /// - Complexity: O(*n*) in the counts; far fewer where the result is small.
  public static func pValue(of sample: Sample, over other: Sample) -> Double {
    precondition(
      sample.count >= 0 && other.count >= 0 && sample.time > 0 && other.time > 0,
      "no count in a time")
    let share = sample.time / (sample.time + other.time)
    let all = Double(sample.count) + Double(other.count)
    let least = Double(sample.count)
    guard least > 0 else { return 1 }
    // Below the mean, the terms grow at first, so the other side is summed, where they fall.
    if least <= (all + 1) * share {
      return max(0, 1 - lower(below: least, of: all, share))
    }
    return min(1, exp(logUpper(from: least, of: all, share)))
  }

  /// The natural logarithm of the probability, which distinguishes values too small for a `Double`.
  ///
  /// - Complexity: O(*n*) in the counts; far fewer where the result is small.
  public static func logPValue(of sample: Sample, over other: Sample) -> Double {
    let p = pValue(of: sample, over: other)
    guard p < 1e-290 else { return log(p) }
    let share = sample.time / (sample.time + other.time)
    let all = Double(sample.count) + Double(other.count)
    return logUpper(from: Double(sample.count), of: all, share)
  }

  /// The logarithm of the sum of the terms from a count above the mean, up to the last.
  private static func logUpper(from least: Double, of all: Double, _ share: Double) -> Double {
    var (sum, term, count) = (1.0, 1.0, least)
    while count < all {
      term *= (all - count) / (count + 1) * share / (1 - share)
      count += 1
      guard term > sum * 1e-18 else { break }
      sum += term
    }
    return logTerm(least, of: all, share) + log(sum)
  }

  /// The terms below a count, from the largest down.
  private static func lower(below count: Double, of all: Double, _ share: Double) -> Double {
    var (sum, term, current) = (1.0, 1.0, count - 1)
    let first = logTerm(current, of: all, share)
    while current > 0 {
      term *= current / (all - current + 1) * (1 - share) / share
      current -= 1
      guard term > sum * 1e-18 else { break }
      sum += term
    }
    return exp(first + log(sum))
  }

  private static func logTerm(_ count: Double, of all: Double, _ share: Double) -> Double {
    lgamma(all + 1) - lgamma(count + 1) - lgamma(all - count + 1) + count * log(share)
      + (all - count) * log1p(-share)
  }
}
