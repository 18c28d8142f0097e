internal import Bytes

/// A set of values of a column, or all but some.
public struct ValueSet: Hashable, Sendable {
  /// The values in ascending order, without repetition.
  public let values: [Int]
  /// Whether the set has all values except ``values``.
  public let isInverted: Bool
  /// A bit for each value from the least on, unless they are too far apart.
  private let bits: [UInt64]

  /// Bits are made up to this many for a value.
  private static let mostBitsPerValue = 512

  /// - Complexity: O(n log n).
  public init(_ values: some Sequence<Int>, isInverted: Bool = false) {
    var sorted = Array(values)
    sorted.sort()
    var kept = 0
    for value in sorted where kept == 0 || sorted[kept - 1] != value {
      sorted[kept] = value
      kept += 1
    }
    sorted.removeLast(sorted.count - kept)
    self.values = sorted
    self.isInverted = isInverted
    guard let first = sorted.first, let last = sorted.last else {
      bits = []
      return
    }
    let span = UInt(bitPattern: last &- first)
    guard span / UInt(Self.mostBitsPerValue) < UInt(sorted.count) else {
      bits = []
      return
    }
    var bits = [UInt64](repeating: 0, count: Int(span / 64) + 1)
    for value in sorted {
      let place = value &- first
      bits[place >> 6] |= 1 << UInt64(place & 63)
    }
    self.bits = bits
  }

  /// - Complexity: O(1), or O(log n) where values are far apart.
  public func contains(_ value: Int) -> Bool {
    listed.bit(of: value) != (isInverted ? 1 : 0)
  }

  /// ``values``, borrowed for loops.
  var listed: Listed {
    @_lifetime(borrow self)
    get { Listed(values: values.span, bits: bits.span) }
  }

  /// Looks up the values of a set.
  struct Listed: ~Escapable {
    private let values: Span<Int>
    private let bits: Span<UInt64>
    private let first: Int

    @_lifetime(copy values, copy bits)
    init(values: Span<Int>, bits: Span<UInt64>) {
      self.values = values
      self.bits = bits
      first = values.isEmpty ? 0 : values[0]
    }

    /// 1 for a value that is listed, otherwise 0.
    @inline(__always)
    func bit(of value: Int) -> UInt64 {
      guard bits.isEmpty else {
        // The place of a value below the first is large.
        let place = UInt(bitPattern: value &- first)
        let word = place &>> 6
        guard word < UInt(bits.count) else { return 0 }
        return bits[Int(bitPattern: word)] &>> UInt64(place & 63) & 1
      }
      let place = (0..<values.count).lowerBound { values[$0] < value }
      return place < values.count && values[place] == value ? 1 : 0
    }
  }
}
