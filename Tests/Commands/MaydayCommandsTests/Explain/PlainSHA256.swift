/// SHA-256 in the words of the standard, slow and on its own, so that keys are computed twice by
/// different means.
///
/// Source: FIPS 180-4, sections 4.1.2, 4.2.2, 5.1.1, 5.3.3 and 6.2.2. The constants are the fractional parts
/// of the roots of the first primes, computed here.
enum PlainSHA256 {
  static func hex(_ message: [UInt8]) -> String {
    var hash = primes(8).map { fraction(of: Double($0).squareRoot()) }
    let constants = primes(64).map(cubeRootFraction)
    var bytes = message + [0x80]
    while bytes.count % 64 != 56 { bytes.append(0) }
    let bits = UInt64(message.count) * 8
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }
    for block in stride(from: 0, to: bytes.count, by: 64) {
      var words = (0..<16).map { word in
        (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[block + word * 4 + $1]) }
      }
      for index in 16..<64 {
        let (one, other) = (words[index - 15], words[index - 2])
        let left = turned(one, 7) ^ turned(one, 18) ^ one >> 3
        let right = turned(other, 17) ^ turned(other, 19) ^ other >> 10
        words.append(words[index - 16] &+ left &+ words[index - 7] &+ right)
      }
      var state = hash
      for index in 0..<64 {
        let (a, e) = (state[0], state[4])
        let sum = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
        let choice = e & state[5] ^ ~e & state[6]
        let first = state[7] &+ sum &+ choice &+ constants[index] &+ words[index]
        let majority = a & state[1] ^ a & state[2] ^ state[1] & state[2]
        let second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) &+ majority
        state = [first &+ second] + state.dropLast()
        state[4] = state[4] &+ first
      }
      hash = zip(hash, state).map { $0 &+ $1 }
    }
    return hash.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  private static func turned(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }

  private static func primes(_ count: Int) -> [Int] {
    var found: [Int] = []
    var next = 2
    while found.count < count {
      if !found.contains(where: { next % $0 == 0 }) { found.append(next) }
      next += 1
    }
    return found
  }

  /// The first 32 bits after the binary point of the square root.
  private static func fraction(of number: Double) -> UInt32 {
    UInt32((number - number.rounded(.down)) * 4_294_967_296)
  }

  /// The first 32 bits after the binary point of the cube root, by integer bisection.
  private static func cubeRootFraction(_ number: Int) -> UInt32 {
    var (low, high) = (UInt64(0), UInt64(8) << 32)
    let target = Double(number)
    while high - low > 1 {
      let middle = (low + high) / 2
      let root = Double(middle) / 4_294_967_296
      if root * root * root <= target { low = middle } else { high = middle }
    }
    return UInt32(truncatingIfNeeded: low)
  }
}
