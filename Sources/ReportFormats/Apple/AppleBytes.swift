internal import Bytes

/// The value of a hexadecimal digit in either letter case.
@inline(__always)
func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte &- UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte &- (UInt8(ascii: "a") &- 10)
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte &- (UInt8(ascii: "A") &- 10)
  default: nil
  }
}
