internal import Bytes

/// Where an image has code, and so which addresses are worth keeping.
///
/// Addresses are kept as 32-bit offsets from the image base; a linker that drops a function leaves
/// its entries with addresses that are not code (0 plus an addend, all ones, or 1).
public struct CodeSpace: Sendable {
  /// The linked address of the image's load address.
  public let imageBase: UInt64
  /// The least address that lies after the base.
  @usableFromInline let lowest: UInt64
  /// Sorted offsets from the base; empty when the container does not say.
  private let starts: [UInt32]
  private let ends: [UInt32]

  /// - Parameters:
  ///   - executable: The linked addresses that hold code; all addresses when empty.
  ///   - startsBeforeZero: Whether the base lies before address 0, modulo 2^64: that of
  ///     WebAssembly.
  public init(
    imageBase: UInt64, executable: [Range<UInt64>], startsBeforeZero: Bool = false
  ) {
    self.imageBase = imageBase
    lowest = startsBeforeZero ? 0 : imageBase
    var starts: [UInt32] = []
    var ends: [UInt32] = []
    for range in executable.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      guard range.upperBound > lowest else { continue }
      let low = max(range.lowerBound, lowest) &- imageBase
      guard low < UInt64(UInt32.max) else { continue }
      starts.append(UInt32(low))
      ends.append(UInt32(clamping: range.upperBound &- imageBase))
    }
    self.starts = starts
    self.ends = ends
  }

  /// The offset of `address` from the base, or `nil` when it lies before it or 4 GiB after it.
  @inlinable
  public func offset(of address: UInt64) -> UInt32? {
    guard address >= lowest else { return nil }
    return UInt32(exactly: address &- imageBase)
  }

  /// Whether there is code at `offset`.
  ///
  /// - Complexity: O(log n) in the number of ranges.
  public func holdsCode(at offset: UInt32) -> Bool {
    if starts.isEmpty { return offset != 0 || imageBase != 0 }
    guard let index = range(at: offset) else { return false }
    return offset < ends[index]
  }

  /// The end of the code that holds `offset`; all ones where nothing is known of it.
  public func codeEnd(at offset: UInt32) -> UInt32 {
    guard let index = range(at: offset), offset < ends[index] else { return .max }
    return ends[index]
  }

  /// The last range that begins at or before `offset`.
  private func range(at offset: UInt32) -> Int? {
    let low = starts.lowerBound { $0 <= offset }
    return low > 0 ? low - 1 : nil
  }
}
