/// Sorts by a number, digit by digit: several times faster than comparing for the hundreds of
/// thousands of symbols of a large program.
struct RadixOrder {
  private static let digitBits: UInt64 = 11
  private static let digits = 1 << Int(digitBits)

  /// The indices of `keys` in the order of their values; equal ones keep theirs.
  ///
  /// - Complexity: O(n) for each eleven bits in which the keys differ.
  static func indices(of keys: [UInt64]) -> [UInt32] {
    precondition(keys.count <= Int(UInt32.max))
    guard let least = keys.min(), let most = keys.max() else { return [] }
    var order = Array(0..<UInt32(keys.count))
    var sorted = order
    var shift: UInt64 = 0
    while shift < 64, (most - least) >> shift != 0 {
      var starts = [Int](repeating: 0, count: digits + 1)
      for key in keys { starts[digit(key - least, shift) + 1] += 1 }
      for digit in 0..<digits { starts[digit + 1] += starts[digit] }
      for index in order {
        let digit = digit(keys[Int(index)] - least, shift)
        sorted[starts[digit]] = index
        starts[digit] += 1
      }
      swap(&order, &sorted)
      shift += digitBits
    }
    return order
  }

  private static func digit(_ value: UInt64, _ shift: UInt64) -> Int {
    Int(truncatingIfNeeded: value >> shift) & (digits - 1)
  }
}
