import Testing

@testable import Statistics

@Suite("Changes of rates")
struct RateChangeTests {
  private func change(_ now: Int, _ before: Int, days: Double = 30) -> RateChange {
    RateChange(.init(now, in: days), after: .init(before, in: 30))
  }

  @Test("A rise and a fall of the same size have the same probability")
  func symmetric() {
    for (low, high) in [(0, 3), (2, 9), (10, 47), (100, 170), (40_000, 41_000)] {
      let (rise, fall) = (change(high, low), change(low, high))
      #expect(rise.isRise && !fall.isRise)
      #expect(abs(rise.pValue - fall.pValue) <= rise.pValue * 1e-9)
      #expect(rise.evidence == -fall.evidence && rise.evidence > 0)
    }
  }

  @Test(
    "Few reports may be chance, many are not",
    arguments: [
      (1, 0, false), (3, 1, false), (9, 0, false), (10, 0, true), (15, 10, false), (47, 10, true),
      (100, 80, false), (1000, 800, true), (0, 9, false), (0, 10, true),
    ])
  func certain(now: Int, before: Int, isCertain: Bool) {
    #expect(change(now, before).isCertain == isCertain, "p = \(change(now, before).pValue)")
  }

  @Test("Without any change, nothing is certain")
  func same() {
    for count in [0, 1, 1_000_000] {
      #expect(change(count, count).pValue == 1 && change(count, count).evidence == 0)
    }
    // Half of the days, half of the events.
    #expect(change(50, 100, days: 15).evidence == 0)
  }

  @Test("A part of the days with as many events is a rise")
  func partOfDays() {
    #expect(change(30, 30, days: 1).isRise && change(30, 30, days: 1).isCertain)
    #expect(!change(1, 30, days: 1).isRise || !change(1, 30, days: 1).isCertain)
  }

  @Test("Evidence grows with the events where probabilities are too small for a number")
  func overwhelming() {
    let steps = [10, 100, 1_000, 10_000, 1_000_000].map { change($0, 0).evidence }
    #expect(steps == steps.sorted() && Set(steps).count == steps.count)
    // 2 to the power of -count: 0.30103 decimal digits for each event.
    #expect(steps[1] == 30_103 && steps[4] == 301_029_996)
  }
}
