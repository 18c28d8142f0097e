/// The registers of a frame, by their DWARF numbers below 34; any of them may be unknown.
struct WalkedRegisters {
  private var values: InlineArray<34, UInt64> = .init(repeating: 0)
  private var known: UInt64 = 0

  subscript(number: Int) -> UInt64? {
    get {
      guard number >= 0, number < 34, known & 1 << UInt64(number) != 0 else { return nil }
      return values[number]
    }
    set {
      guard number >= 0, number < 34 else { return }
      if let newValue {
        values[number] = newValue
        known |= 1 << UInt64(number)
      } else {
        known &= ~(1 << UInt64(number))
      }
    }
  }

  /// Only the registers whose bits are in `mask`.
  mutating func keep(_ mask: UInt64) { known &= mask }
}
