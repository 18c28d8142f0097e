import Testing

@testable import Updates

@Suite("Whether a roll-out crashes more often")
struct RolloutTestTests {
  @Test("The levels of all checks add up to no more than alpha")
  func levels() {
    let sum = (1...100_000).reduce(0.0) { $0 + RolloutTest.level(ofLook: $1) }
    #expect(sum < RolloutTest.alpha && sum > RolloutTest.alpha * 0.999)
    #expect(RolloutTest.level(ofLook: 1) == RolloutTest.alpha / 2)
  }

  @Test("A check is due at twice the sessions of the last, and not before a hundred")
  func due() {
    #expect(!RolloutTest.isDue(sessions: 99, last: nil))
    #expect(RolloutTest.isDue(sessions: 100, last: nil))
    #expect(!RolloutTest.isDue(sessions: 199, last: 100))
    #expect(RolloutTest.isDue(sessions: 200, last: 100))
    #expect(!RolloutTest.isDue(sessions: 0, last: Int.max))
  }

  /// Numbers that are the same on each run (SplitMix64).
  private struct Numbers: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
      return mixed ^ (mixed >> 31)
    }
  }

  /// The number of roll-outs that are paused if checked as often as checks are due.
  private static func paused(of trials: Int, rate: Double, formerRate: Double) -> Int {
    var numbers = Numbers(state: 7)
    return (0..<trials).count { _ in
      var new = RolloutTest.Sessions(crashed: 0, all: 0)
      var former = RolloutTest.Sessions(crashed: 0, all: 0)
      var (last, look) = (Int?.none, 0)
      while new.all < 6_400 {
        new.all += 1
        former.all += 1
        if Double.random(in: 0..<1, using: &numbers) < rate { new.crashed += 1 }
        if Double.random(in: 0..<1, using: &numbers) < formerRate { former.crashed += 1 }
        guard RolloutTest.isDue(sessions: new.all, last: last) else { continue }
        look += 1
        last = new.all
        if RolloutTest.pValue(new: new, former: former) < RolloutTest.level(ofLook: look) {
          return true
        }
      }
      return false
    }
  }

  @Test("At most alpha of equally stable roll-outs are paused; of those three times as bad, all")
  func simulation() {
    #expect(Self.paused(of: 300, rate: 0.02, formerRate: 0.02) <= 6)
    #expect(Self.paused(of: 40, rate: 0.06, formerRate: 0.02) == 40)
  }

  @Test("A check names the test, the counts and the probability")
  func text() {
    var look = RolloutCheck(
      number: 1, time: 0, new: RolloutTest.Sessions(crashed: 40, all: 1000), crashedInstalls: 3,
      formerRelease: "1.4.1 (500)", former: RolloutTest.Sessions(crashed: 10, all: 1000),
      pValue: 9.504737471649534e-06)
    #expect(
      look.text
        == "40 of 1000 sessions crashed, of 1.4.1 (500) 10 of 1000: p = 9.5e-06, below 0.005 "
        + "(Fisher's exact test, one-sided, look 1)")
    #expect(look.isWorse && look.verdict == "it crashes more often than 1.4.1 (500)")
    look.crashedInstalls = 2
    #expect(!look.isWorse)
    #expect(look.verdict.hasSuffix("but on fewer than 3 installations"))
    look.crashedInstalls = 3
    look.pValue = 0.0123
    #expect(!look.isWorse && look.text.contains("p = 0.012, not below 0.005"))
    #expect(look.verdict == "no sign that it crashes more often than 1.4.1 (500)")
  }
}
