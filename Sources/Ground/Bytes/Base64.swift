/// Base64 as clients write it: the usual alphabet or the one for URLs, padded or not, in lines or not.
public enum Base64 {
  /// - Returns: `nil` for anything else.
  /// - Complexity: O(n).
  public static func decode(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count / 4 * 3)
    var bits: UInt32 = 0
    var count = 0
    var isOver = false
    for byte in text.utf8 {
      let value: UInt32
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = UInt32(byte) - 65
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = UInt32(byte) - 71
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = UInt32(byte) + 4
      case UInt8(ascii: "+"), UInt8(ascii: "-"): value = 62
      case UInt8(ascii: "/"), UInt8(ascii: "_"): value = 63
      case UInt8(ascii: "="):
        isOver = true
        continue
      case 9, 10, 13, 32: continue
      default: return nil
      }
      if isOver { return nil }
      bits = bits << 6 | value
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        bits &= (1 << UInt32(count)) - 1
      }
    }
    // One digit alone holds no byte.
    return count == 6 ? nil : bytes
  }
}
