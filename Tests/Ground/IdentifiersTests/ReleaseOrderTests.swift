import Identifiers
import TestSupport
import Testing

@Suite struct ReleaseOrderTests {
  @Test(
    "Releases by their names",
    arguments: [
      ("1.4.0", "1.4.0", ""), ("1.4.0 (512)", "1.4.0", "512"), (" 1.4.0(512) ", "1.4.0", "512"),
      ("(512)", "", "512"), ("", "", ""), ("1.0 )", "1.0 )", ""),
    ])
  func names(name: String, version: String, build: String) {
    let release = Release(name)
    #expect(release == Release(version: version, build: build))
    #expect(Release(release.name) == release)
  }

  @Test(
    "Without an order that was set, the numbers decide: version, then build",
    arguments: [
      ["1.0 (2)", "1.0 (10)", "1.2 (1)", "1.10"], ["2.0-beta (9)", "2.0 (1)", "2.0.1"],
      ["1.0", "1.0 (1)"], ["(1)", "(9)", "(10)", "1.0 (1)"],
    ])
  func numbers(names: [String]) {
    let releases = names.map { Release($0) }
    #expect(ReleaseOrder().sorted(releases.reversed()) == releases)
    #expect(!ReleaseOrder().isSet)
  }

  @Test("Ordered releases keep their order; others come after the last one that precedes them")
  func ordered() {
    let order = ReleaseOrder(["1.4", "2.0-beta", "1.5", "2.0"].map { Release($0) })
    let sorted = ["0.9", "1.4", "2.0-beta", "1.5", "1.6", "1.7", "2.0", "2.1"].map { Release($0) }
    var random = SplitMix(seed: 1)
    for _ in 0..<20 { #expect(order.sorted(sorted.shuffled(using: &random)) == sorted) }
    #expect(order.isSet)
    #expect(order.precedes(Release("2.0-beta"), Release("1.5")))
    for (left, right) in zip(sorted, sorted.dropFirst()) {
      #expect(order.precedes(left, right) && !order.precedes(right, left))
    }
  }

  @Test("Releases distinguished by hashes are ordered as first seen")
  func hashes() {
    let (one, other) = (Release("0abc12345"), Release("f00dcafe1"))
    var order = ReleaseOrder()
    #expect(!order.precedes(one, other) && !order.precedes(other, one))
    order.note(one, seen: Timestamp(seconds: 2))
    order.note(other, seen: Timestamp(seconds: 1))
    #expect(order.precedes(other, one) && !order.precedes(one, other))
    #expect(order.isByTime(one, other) && !order.isByTime(one, Release("1.5")))
    // An order set by the user takes precedence.
    var set = ReleaseOrder([one, other])
    set.note(one, seen: Timestamp(seconds: 2))
    set.note(other, seen: Timestamp(seconds: 1))
    #expect(set.precedes(one, other) && !set.isByTime(one, other))
  }
}
