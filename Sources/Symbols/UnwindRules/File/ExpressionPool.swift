internal import Bytes

/// The different expressions of a file, each once.
struct ExpressionPool: ~Copyable {
  private(set) var bytes = Table<UInt8>()
  private var offsets: [[UInt8]: UInt32] = [:]

  /// The offset of `operations`, which were checked.
  mutating func offset(of operations: [UInt8]) -> UInt32 {
    if let offset = offsets[operations] { return offset }
    let offset = UInt32(truncatingIfNeeded: bytes.count)
    bytes.append(UInt8(truncatingIfNeeded: operations.count))
    bytes.append(UInt8(truncatingIfNeeded: operations.count &>> 8))
    for byte in operations { bytes.append(byte) }
    offsets[operations] = offset
    return offset
  }
}
