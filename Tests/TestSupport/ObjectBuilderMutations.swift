/// Damage for readers to meet.
public enum ObjectMutations {
  /// `count` copies of `bytes`, each with a few bytes changed, the same for each seed: to random
  /// values, or to those that lengths and counts go wrong at.
  public static func copies(of bytes: [UInt8], count: Int, seed: UInt64) -> [[UInt8]] {
    var random = SplitMix(seed: seed)
    return (0..<count).map { _ in
      var copy = bytes
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let place = Int.random(in: 0..<copy.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: copy[place] = 0xff
        case 1: for index in place..<min(place + 4, copy.count) { copy[index] = 0xff }
        case 2: copy[place] = copy[place] &+ 1
        default: copy[place] = UInt8.random(in: .min ... .max, using: &random)
        }
      }
      return copy
    }
  }
}
