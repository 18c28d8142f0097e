import Testing

@testable import Statistics

@Suite("Corrections for many tests")
struct HolmCorrectionTests {
  @Test("Holm's correction multiplies the smallest by all tests, the next by one less")
  func holm() {
    // By statsmodels.stats.multitest.multipletests(p, method="holm").
    let adjusted = HolmCorrection.adjusted([0.01, 0.04, 0.03, 0.005], of: 4)
    for (value, expected) in zip(adjusted, [0.03, 0.06, 0.06, 0.02]) {
      #expect(abs(value - expected) < 1e-12)
    }
    #expect(HolmCorrection.adjusted([0.2, 0.001], of: 100) == [1, 0.1])
    #expect(HolmCorrection.adjusted([], of: 0).isEmpty)
  }
}
