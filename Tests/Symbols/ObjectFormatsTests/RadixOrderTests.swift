import TestSupport
import Testing

@testable import ObjectFormats

@Suite struct RadixOrderTests {
  @Test(
    "The order is that of a stable sort",
    arguments: [0, 1, 2, 100, 5000], [1, 100, 1 << 11, 1 << 33, .max] as [UInt64])
  func order(count: Int, range: UInt64) {
    var random = SplitMix(seed: UInt64(count) ^ range)
    let keys = (0..<count).map { _ in UInt64.random(in: 0..<range, using: &random) }
    let expected = keys.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
    #expect(RadixOrder.indices(of: keys).map(Int.init) == expected)
  }

  @Test("The ends of the address space")
  func ends() {
    #expect(RadixOrder.indices(of: [.max, 0, .max - 1, 1, 0]) == [1, 4, 3, 2, 0])
  }
}
