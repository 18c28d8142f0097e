/// Numbers in either byte order, for the builders of object files.
struct ObjectBytes {
  var bytes: [UInt8] = []
  let isBigEndian: Bool

  init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

  mutating func add(_ value: UInt64, size: Int) {
    let little = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    bytes += isBigEndian ? little.reversed() : little
  }

  mutating func add16(_ value: Int) { add(UInt64(value), size: 2) }
  mutating func add32(_ value: Int) { add(UInt64(value), size: 4) }

  mutating func pad(to alignment: Int) {
    while !bytes.count.isMultiple(of: alignment) { bytes.append(0) }
  }
}
