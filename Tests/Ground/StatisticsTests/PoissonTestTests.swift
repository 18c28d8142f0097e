import Testing

@testable import Statistics

@Suite("The exact test of two Poisson rates")
struct PoissonTestTests {
  /// Sums of exact fractions, computed with Python's `fractions` and `math.comb`.
  static let cases: [(Int, Double, Int, Double, Double)] = [
    (0, 1.0, 0, 168.0, 1.0),
    (1, 1.0, 0, 168.0, 0.005917159763313609),
    (5, 1.0, 168, 168.0, 0.0038917705883148375),
    (10, 1.0, 168, 168.0, 1.4513823992713585e-07),
    (10, 1.0, 0, 167.0, 5.583508514435011e-23),
    (30, 1.0, 1000, 168.0, 2.8449240436812185e-12),
    (60, 24.0, 300, 144.0, 0.11347827265109187),
    (2, 1.0, 500, 168.0, 0.7972787706121525),
    (400, 1.0, 40000, 168.0, 1.0538905643743097e-21),
  ]

  @Test("The probability is the sum of the binomial distribution", arguments: cases.indices)
  func pValue(_ index: Int) {
    let (count, time, other, otherTime, expected) = Self.cases[index]
    let value = PoissonTest.pValue(of: .init(count, in: time), over: .init(other, in: otherTime))
    #expect(abs(value - expected) <= expected * 1e-6, "\(value)")
  }

  @Test("All counts give a probability, which falls as the count grows")
  func bounds() {
    for (time, otherTime) in [(1.0, 168.0), (24.0, 144.0), (3_600.0, 1.0)] {
      for other in [0, 1, 10, 1_000, 1_000_000] {
        var last = 1.0
        for count in [0, 1, 2, 5, 20, 100, 5_000, 1_000_000] {
          let value = PoissonTest.pValue(
            of: .init(count, in: time), over: .init(other, in: otherTime))
          #expect(value >= 0 && value <= 1 && value <= last + 1e-9, "\(count) \(other): \(value)")
          last = value
        }
      }
    }
  }
}
