internal import Bytes

extension Table<UInt8> {
  mutating func put(_ value: UInt64) {
    put(UInt32(truncatingIfNeeded: value))
    put(UInt32(truncatingIfNeeded: value &>> 32))
  }

  @inline(__always)
  mutating func put(_ value: UInt32) {
    append(UInt8(truncatingIfNeeded: value))
    append(UInt8(truncatingIfNeeded: value &>> 8))
    append(UInt8(truncatingIfNeeded: value &>> 16))
    append(UInt8(truncatingIfNeeded: value &>> 24))
  }
}
