internal import Glibc

/// Names are handled as bytes: a name is ASCII except for the odd identifier, and every significant mark is
/// one byte.
typealias NameBytes = [UInt8]

extension Array where Element == UInt8 {
  /// The byte at `index`, 0 outside.
  @inline(__always)
  func at(_ index: Int) -> UInt8 { index >= 0 && index < count ? self[index] : 0 }

  @inline(__always)
  func has(_ text: StaticString, at index: Int = 0) -> Bool {
    let length = text.utf8CodeUnitCount
    guard index >= 0, count - index >= length else { return false }
    let start = unsafe text.utf8Start
    for position in 0..<length where unsafe self[index + position] != start[position] {
      return false
    }
    return true
  }

  func ends(with text: StaticString) -> Bool { has(text, at: count - text.utf8CodeUnitCount) }

  /// The first index of `text` at or after `start`.
  func find(_ text: StaticString, from start: Int = 0) -> Int? {
    let length = text.utf8CodeUnitCount
    guard length > 0 else { return nil }
    let first = unsafe text.utf8Start[0]
    var index = Swift.max(start, 0)
    while index <= count - length {
      guard let next = position(of: first, from: index) else { return nil }
      if has(text, at: next) { return next }
      index = next + 1
    }
    return nil
  }

  /// The first index of `byte` at or after `start`; the C library searches many bytes at a time.
  private func position(of byte: UInt8, from start: Int) -> Int? {
    unsafe withUnsafeBytes { bytes in
      guard start < bytes.count, let base = bytes.baseAddress,
        let found = unsafe memchr(base + start, CInt(byte), bytes.count - start)
      else { return nil }
      return unsafe UnsafeRawPointer(found) - base
    }
  }

  func findLast(_ text: StaticString) -> Int? {
    var index = count - text.utf8CodeUnitCount
    while index >= 0 {
      if has(text, at: index) { return index }
      index -= 1
    }
    return nil
  }

  mutating func append(_ text: StaticString) {
    unsafe append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func cut(at index: Int) {
    if index < count { removeSubrange(Swift.max(index, 0)...) }
  }

  func from(_ index: Int) -> [UInt8] { index < count ? Array(self[Swift.max(index, 0)...]) : [] }

  /// The end of the run of decimal digits at `index`.
  func digitsEnd(_ index: Int) -> Int {
    var end = index
    while end < count, self[end].isDigit { end += 1 }
    return end
  }

  var text: String { String(decoding: self, as: UTF8.self) }
}

extension UInt8 {
  @inline(__always) var isDigit: Bool { self &- 0x30 < 10 }
  @inline(__always) var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
  @inline(__always) var isHexDigit: Bool { isDigit || (self | 0x20) &- 0x61 < 6 }
  /// Part of an identifier; bytes of other scripts count as letters.
  @inline(__always) var isIdentifier: Bool {
    isLetter || isDigit || self == UInt8(ascii: "_") || self >= 0x80
  }
  @inline(__always) var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}
