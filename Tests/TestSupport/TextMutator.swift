/// Small deterministic damage for tests: what a file may suffer on its way.
public struct TextMutator {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 17
  }

  /// `bytes` with a few bytes changed, left out, doubled or exchanged.
  public mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
    var result = bytes
    for _ in 0...(next() % 6) {
      guard !result.isEmpty else { return result }
      let index = Int(next() % UInt64(result.count))
      switch next() % 5 {
      case 0: result[index] = UInt8(truncatingIfNeeded: next())
      case 1: result.remove(at: index)
      case 2: result.insert(result[index], at: index)
      case 3:
        let end = min(result.count, index + Int(next() % 40))
        result.removeSubrange(index..<end)
      default:
        let end = min(result.count, index + Int(next() % 60))
        result.insert(contentsOf: result[index..<end], at: index)
      }
    }
    return result
  }
}
