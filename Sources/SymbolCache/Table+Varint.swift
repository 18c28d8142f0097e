internal import Bytes

extension Table<UInt8> {
  @inline(__always)
  mutating func put(varint value: UInt32) {
    var value = value
    while value >= 0x80 {
      append(UInt8(truncatingIfNeeded: value) | 0x80)
      value &>>= 7
    }
    append(UInt8(truncatingIfNeeded: value))
  }

  @inline(__always)
  mutating func put(folded value: Int32) {
    put(varint: UInt32(bitPattern: value &<< 1 ^ value &>> 31))
  }

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
