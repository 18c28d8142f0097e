internal import Glibc

// Swift's own `contains` of a text compares characters, and prepares a dictionary for each call: some
// microseconds, however short both texts are. These compare bytes.
extension String {
  /// Whether the UTF-8 of `text` is part of the string's.
  ///
  /// - Complexity: O(n) for texts whose first byte is not common. Nothing is allocated.
  public func containsBytes(of text: StaticString) -> Bool { utf8.firstOffset(of: text) != nil }
}

extension String {
  /// The string with one byte in the place of another, both ASCII.
  ///
  /// - Complexity: O(n). Without the byte nothing is copied.
  public func replacing(byte: UInt8, with other: UInt8) -> String {
    guard byte < 0x80, other < 0x80, utf8.contains(byte) else { return self }
    return String(decoding: utf8.map { $0 == byte ? other : $0 }, as: UTF8.self)
  }
}

extension Substring {
  /// Whether the UTF-8 of `text` is part of the substring's.
  ///
  /// - Complexity: O(n) for texts whose first byte is not common. Nothing is allocated.
  public func containsBytes(of text: StaticString) -> Bool { utf8.firstOffset(of: text) != nil }
}

extension Substring {
  /// The first place where the UTF-8 of `text` is part of the substring's; `nil` for an empty text.
  public func firstRange(ofBytes text: String) -> Range<Index>? {
    let wanted = text.utf8.count
    guard wanted > 0, wanted <= utf8.count else { return nil }
    var (text, own) = (text, self)
    let found = own.withUTF8 { bytes in
      text.withUTF8 { wanted in
        unsafe UnsafeRawBufferPointer(bytes).firstOffset(of: UnsafeRawBufferPointer(wanted))
      }
    }
    guard let found else { return nil }
    let start = utf8.index(utf8.startIndex, offsetBy: found)
    return start..<utf8.index(start, offsetBy: wanted)
  }
}

extension Collection<UInt8> {
  /// The offset of the first occurrence of `text` among the bytes.
  fileprivate func firstOffset(of text: StaticString) -> Int? {
    let found = withContiguousStorageIfAvailable { bytes in
      unsafe UnsafeRawBufferPointer(bytes).firstOffset(of: text)
    }
    // Strings of other systems' runtimes have no bytes to show; on Linux there are none.
    if let found { return found }
    return unsafe Array(self).withUnsafeBytes { unsafe $0.firstOffset(of: text) }
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func firstOffset(of text: StaticString) -> Int? {
    unsafe firstOffset(
      of: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  fileprivate func firstOffset(of text: UnsafeRawBufferPointer) -> Int? {
    guard let wanted = text.baseAddress, let first = unsafe text.first else { return 0 }
    guard let base = baseAddress else { return nil }
    let length = text.count
    var start = 0
    while count &- start >= length {
      guard
        let found = unsafe memchr(base + start, Int32(first), count &- start &- length &+ 1)
      else { return nil }
      let offset = unsafe UnsafeRawPointer(found) - base
      if unsafe memcmp(found, wanted, length) == 0 { return offset }
      start = offset &+ 1
    }
    return nil
  }
}
