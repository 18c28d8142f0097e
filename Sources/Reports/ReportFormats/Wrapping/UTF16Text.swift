internal import Bytes

/// Text in UTF-16, as PowerShell, Notepad and Windows' exports write it: with a byte-order mark or without.
enum UTF16Text {
  /// The searched part of the text in UTF-8; `nil` if it is not UTF-16.
  ///
  /// Without a mark it is UTF-16 if four in five of the first 512 units are ASCII. Unpaired surrogates become
  /// U+FFFD.
  ///
  /// - Complexity: O(n).
  static func decoded(_ file: ByteView) -> ByteView? {
    let bytes = file.bytes
    guard bytes.byteCount >= 8, let (isLittle, start) = order(of: bytes) else { return nil }
    let end = min(bytes.byteCount, FormatLimits.searchedBytes) & ~1
    var result: [UInt8] = []
    result.reserveCapacity((end - start) / 2)
    func unit(_ index: Int) -> UInt32 {
      let one = UInt32(bytes.byteOrZero(index))
      let other = UInt32(bytes.byteOrZero(index + 1))
      return isLittle ? other << 8 | one : one << 8 | other
    }
    var index = start
    while index + 1 < end {
      var value = unit(index)
      index += 2
      if value < 0x80 {
        result.append(UInt8(value))
        continue
      }
      if (0xD800..<0xDC00).contains(value), index + 1 < end {
        let low = unit(index)
        if (0xDC00..<0xE000).contains(low) {
          value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
          index += 2
        }
      }
      let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
      result.append(contentsOf: String(Character(scalar)).utf8)
    }
    return ByteView(result)
  }

  private static func order(of bytes: RawSpan) -> (isLittle: Bool, start: Int)? {
    if bytes.byte(0) == 0xff, bytes.byte(1) == 0xfe {
      return bytes.byte(2) == 0 && bytes.byte(3) == 0 ? nil : (true, 2)
    }
    if bytes.byte(0) == 0xfe, bytes.byte(1) == 0xff { return (false, 2) }
    let count = min(bytes.byteCount & ~1, 1024)
    var little = 0
    var big = 0
    for index in stride(from: 0, to: count, by: 2) {
      let one = bytes.byte(index)
      let other = bytes.byte(index + 1)
      if isText(one), other == 0 { little += 1 }
      if one == 0, isText(other) { big += 1 }
    }
    // Some of it may be in other scripts, and none of it is ASCII in the other byte order.
    let most = count / 2 * 4 / 5
    return little >= most && big == 0 ? (true, 0) : big >= most && little == 0 ? (false, 0) : nil
  }

  private static func isText(_ byte: UInt8) -> Bool {
    (32..<127).contains(byte) || (9...13).contains(byte)
  }
}
