internal import Bytes

extension Table<UInt8> {
  @inline(__always)
  mutating func put(_ value: UInt64) { append(littleEndian: value) }

  @inline(__always)
  mutating func put(_ value: UInt32) { append(littleEndian: value) }
}
