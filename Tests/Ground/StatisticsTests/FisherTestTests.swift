import Testing

@testable import Statistics

@Suite("Fisher's exact test")
struct FisherTestTests {
  struct Case: Sendable {
    let marked: Int, all: Int, otherMarked: Int, otherAll: Int
    let pValue: Double
  }

  /// Printed by `scripts/oracles/fisher.py --scipy`.
  static let cases = [
    (0, 100, 0, 100, 1.0),
    (3, 100, 3, 100, 0.658641705207019),
    (8, 100, 2, 100, 0.05027252017533666),
    (10, 10, 0, 10, 5.412544112234515e-06),
    (1, 100, 20, 1000, 0.867458231392833),
    (40, 1000, 10, 1000, 9.504737471649534e-06),
    (12, 400, 30, 4000, 0.00023890605514408078),
    (5, 100, 0, 100, 0.029691605234293292),
    (0, 100, 5, 100, 1.0),
    (150, 20000, 100, 20000, 0.0009111793357524345),
    (700, 50000, 9000, 1_000_000, 1.1317315092724788e-26),
  ].map {
    Case(marked: $0.0, all: $0.1, otherMarked: $0.2, otherAll: $0.3, pValue: $0.4)
  }

  @Test("The probability is that of Fisher's exact test", arguments: cases)
  func pValue(_ example: Case) {
    let value = FisherTest.pValue(
      of: .init(marked: example.marked, of: example.all),
      over: .init(marked: example.otherMarked, of: example.otherAll))
    #expect(abs(value - example.pValue) <= example.pValue * 1e-6, "\(value)")
  }

  @Test("All counts give a probability, which falls as more of the sample are marked")
  func bounds() {
    for all in [1, 2, 7, 100] {
      for otherAll in [1, 3, 50] {
        for otherMarked in [0, 1, otherAll] where otherMarked <= otherAll {
          var last = 2.0
          for marked in 0...all {
            let value = FisherTest.pValue(
              of: .init(marked: marked, of: all),
              over: .init(marked: otherMarked, of: otherAll))
            // Where all of the other sample are marked, all divisions with fewer are as impossible.
            #expect(value >= 0 && value <= 1 && value <= last + 1e-9, "\(marked) of \(all)")
            last = value
          }
        }
      }
    }
  }

  @Test("Probabilities too small for a number still have a logarithm, and an order")
  func logarithms() {
    // 1 / C(20000, 10000), by `math.log(math.comb(20000, 10000))` in Python.
    let smallest = FisherTest.logPValue(
      of: .init(marked: 10_000, of: 10_000), over: .init(marked: 0, of: 10_000))
    #expect(abs(smallest + 13_857.766063569994) < 1e-4, "\(smallest)")
    let larger = FisherTest.logPValue(
      of: .init(marked: 9_999, of: 10_000), over: .init(marked: 1, of: 10_000))
    #expect(larger > smallest && larger < -13_800)
    #expect(
      FisherTest.pValue(
        of: .init(marked: 10_000, of: 10_000), over: .init(marked: 0, of: 10_000)) == 0)
  }
}
