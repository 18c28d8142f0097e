import Testing

@testable import Updates

@Suite("Whether a roll-out crashes more often")
struct RolloutTestTests {
  struct Case: Sendable {
    let crashed: Int, sessions: Int, formerCrashed: Int, formerSessions: Int
    let pValue: Double
  }

  /// Printed by `scripts/fisher.py --scipy`.
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
    Case(crashed: $0.0, sessions: $0.1, formerCrashed: $0.2, formerSessions: $0.3, pValue: $0.4)
  }

  @Test("The probability is that of Fisher's exact test", arguments: cases)
  func pValue(_ example: Case) {
    let value = RolloutTest.pValue(
      new: RolloutTest.Sessions(crashed: example.crashed, all: example.sessions),
      former: RolloutTest.Sessions(crashed: example.formerCrashed, all: example.formerSessions))
    #expect(abs(value - example.pValue) <= example.pValue * 1e-6, "\(value)")
  }

  @Test("All counts give a probability, which falls as more of the new release crash")
  func bounds() {
    for all in [1, 2, 7, 100] {
      for formerAll in [1, 3, 50] {
        for formerCrashed in [0, 1, formerAll] where formerCrashed <= formerAll {
          var last = 2.0
          for crashed in 0...all {
            let value = RolloutTest.pValue(
              new: RolloutTest.Sessions(crashed: crashed, all: all),
              former: RolloutTest.Sessions(crashed: formerCrashed, all: formerAll))
            // Where all of the former crashed, all divisions with fewer are as impossible.
            #expect(value >= 0 && value <= 1 && value <= last + 1e-9, "\(crashed) of \(all)")
            last = value
          }
        }
      }
    }
  }

  @Test("The levels of all looks add up to no more than alpha")
  func levels() {
    let sum = (1...100_000).reduce(0.0) { $0 + RolloutTest.level(ofLook: $1) }
    #expect(sum < RolloutTest.alpha && sum > RolloutTest.alpha * 0.999)
    #expect(RolloutTest.level(ofLook: 1) == RolloutTest.alpha / 2)
  }

  @Test("A look comes with twice the sessions of the last, and not before a hundred")
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

  /// How many of some roll-outs are paused that are looked at as often as looks are due.
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

  @Test("Of roll-outs that crash alike alpha are paused at most; of those three times as bad, all")
  func simulation() {
    #expect(Self.paused(of: 300, rate: 0.02, formerRate: 0.02) <= 6)
    #expect(Self.paused(of: 40, rate: 0.06, formerRate: 0.02) == 40)
  }

  @Test("A look names the test, the counts and the probability")
  func text() {
    var look = RolloutLook(
      number: 1, time: 0, new: RolloutTest.Sessions(crashed: 40, all: 1000), crashedInstalls: 3,
      formerRelease: "1.4.1 (500)", former: RolloutTest.Sessions(crashed: 10, all: 1000),
      pValue: 9.504737471649534e-06)
    #expect(
      look.text
        == "40 of 1000 sessions crashed, of 1.4.1 (500) 10 of 1000: p = 9.5e-06, below 0.005 "
        + "(Fisher's exact test, one-sided, look 1)")
    #expect(look.isWorse)
    look.crashedInstalls = 2
    #expect(!look.isWorse)
    look.crashedInstalls = 3
    look.pValue = 0.0123
    #expect(!look.isWorse && look.text.contains("p = 0.012, not below 0.005"))
  }
}
