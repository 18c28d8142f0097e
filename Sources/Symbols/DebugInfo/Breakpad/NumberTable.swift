internal import Bytes

/// The values of a file's numbers: small ones in a table, large ones, which no tool writes, in
/// a dictionary, so that one number cannot ask for much memory.
struct NumberTable: ~Copyable {
  private static let directCount: UInt32 = 1 << 22

  /// Plus 1; 0 for a number without a meaning.
  private var direct = Table<UInt32>()
  private var others: [UInt32: UInt32] = [:]

  @inline(__always)
  subscript(number: UInt32) -> UInt32? {
    get {
      if Int(number) < direct.count {
        let value = direct[Int(number)]
        return value == 0 ? nil : value &- 1
      }
      return number < Self.directCount ? nil : others[number]
    }
    set {
      guard let newValue else { return }
      guard number < Self.directCount else {
        others[number] = newValue
        return
      }
      if Int(number) >= direct.count { direct.resize(to: Int(number) + 1, filling: 0) }
      direct[Int(number)] = newValue &+ 1
    }
  }
}
