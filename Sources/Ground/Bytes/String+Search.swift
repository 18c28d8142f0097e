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
    let length = text.utf8CodeUnitCount
    guard length > 0 else { return 0 }
    guard let base = baseAddress else { return nil }
    let first = unsafe Int32(text.utf8Start.pointee)
    var start = 0
    while count &- start >= length {
      guard let found = unsafe memchr(base + start, first, count &- start &- length &+ 1) else {
        return nil
      }
      let offset = unsafe UnsafeRawPointer(found) - base
      if unsafe memcmp(found, text.utf8Start, length) == 0 { return offset }
      start = offset &+ 1
    }
    return nil
  }
}
