internal import Glibc

/// Fisher's exact test, one-sided: whether one sample has more of something than another, beyond chance.
///
/// Let *c* of the *n* items of one sample be marked, and *d* of the *m* items of the other. If both had the
/// same share, each division of the *c + d* marked ones among all *n + m* would be equally likely, and the
/// number that falls to the first sample would have a hypergeometric distribution:
///
///     p = sum over k = c ... min(c + d, n) of  C(c + d, k) C(n + m - c - d, n - k) / C(n + m, n)
public enum FisherTest {
  /// The name of the test in texts.
  public static let name = "Fisher's exact test, one-sided"

  /// The number of marked items in a sample.
  public struct Sample: Hashable, Sendable {
    public var marked: Int
    public var all: Int

    public init(marked: Int, of all: Int) {
      self.marked = marked
      self.all = all
    }

    /// Whether a rate can be computed from it.
    public var isUsable: Bool { (0...max(all, 0)).contains(marked) && all > 0 }
  }

  /// The probability that at least as many of the marked ones fall to `sample` if both have the same share.
  ///
  /// - Complexity: O(*n*) in the marked ones; far fewer where the result is small.
  public static func pValue(of sample: Sample, over other: Sample) -> Double {
    exp(logPValue(of: sample, over: other))
  }

  /// The natural logarithm of the probability, which distinguishes values too small for a `Double`.
  ///
  /// - Complexity: O(*n*) in the marked ones; far fewer where the result is small.
  public static func logPValue(of sample: Sample, over other: Sample) -> Double {
    precondition(sample.isUsable && other.isUsable, "more marked than there are")
    let (n, m) = (Double(sample.all), Double(other.all))
    let marked = Double(sample.marked) + Double(other.marked)
    let first = Double(sample.marked)
    // Where all of the other sample are marked, the rest has to be in this one.
    let least = max(0, marked - m)
    guard first > least else { return 0 }
    let peak = ((n + 1) * (marked + 1) / (n + m + 2)).rounded(.down)
    func logTerm(_ count: Double) -> Double {
      logChoices(marked, count) + logChoices(n + m - marked, n - count) - logChoices(n + m, n)
    }
    // Terms decrease from the peak on: those summed are on the side that begins beyond it.
    guard first > peak else {
      let sum = series(from: first - 1) { count in
        guard count > least else { return 0 }
        return count * (m - marked + count) / ((marked - count + 1) * (n - count + 1))
      } step: {
        $0 - 1
      }
      let lower = exp(logTerm(first - 1)) * sum
      return lower < 1 ? log1p(-lower) : 0
    }
    let sum = series(from: first) { count in
      (marked - count) * (n - count) / ((count + 1) * (m - marked + count + 1))
    } step: {
      $0 + 1
    }
    return min(0, logTerm(first) + log(sum))
  }

  /// 1, and the products of all ratios up to each further one.
  private static func series(
    from first: Double, ratio: (Double) -> Double, step: (Double) -> Double
  ) -> Double {
    var (sum, term, count) = (1.0, 1.0, first)
    while true {
      term *= ratio(count)
      guard term > sum * 1e-18 else { return sum }
      sum += term
      count = step(count)
    }
  }

  private static func logChoices(_ all: Double, _ some: Double) -> Double {
    lgamma(all + 1) - lgamma(some + 1) - lgamma(all - some + 1)
  }
}
