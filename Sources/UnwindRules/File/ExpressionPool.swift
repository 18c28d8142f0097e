internal import Bytes

/// The different expressions of a file, each once.
struct ExpressionPool: ~Copyable {
  private(set) var bytes = Table<UInt8>()
  private var places: [[UInt8]: UInt32] = [:]

  /// Where `operations`, which were checked, lie.
  mutating func place(of operations: [UInt8]) -> UInt32 {
    if let place = places[operations] { return place }
    let place = UInt32(truncatingIfNeeded: bytes.count)
    bytes.append(UInt8(truncatingIfNeeded: operations.count))
    bytes.append(UInt8(truncatingIfNeeded: operations.count &>> 8))
    for byte in operations { bytes.append(byte) }
    places[operations] = place
    return place
  }
}
