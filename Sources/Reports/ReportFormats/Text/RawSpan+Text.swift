internal import Bytes
import Glibc

// Text as bytes, for the readers of line-oriented reports. Positions are offsets into the span; one outside
// it gives `nil` or an empty result. Nothing here allocates except `name`.
extension RawSpan {
  /// The byte at `index`, 0 outside.
  @inline(__always)
  func byteOrZero(_ index: Int) -> UInt8 {
    index >= 0 && index < byteCount ? byte(index) : 0
  }

  /// Whether `text` is at `index`.
  @inline(__always)
  func has(_ text: StaticString, at index: Int = 0) -> Bool {
    let count = text.utf8CodeUnitCount
    guard index >= 0, index <= byteCount, count <= byteCount &- index else { return false }
    guard count > 0 else { return true }
    // The first byte decides nearly always.
    guard unsafe byte(index) == text.utf8Start.pointee else { return false }
    return hasRest(text, at: index, count: count)
  }

  private func hasRest(_ text: StaticString, at index: Int, count: Int) -> Bool {
    unsafe withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return false }
      return unsafe memcmp(base.advanced(by: index), text.utf8Start, count) == 0
    }
  }

  /// Whether the span ends with `text`.
  func ends(with text: StaticString) -> Bool { has(text, at: byteCount - text.utf8CodeUnitCount) }

  func contains(_ text: StaticString) -> Bool { find(text) != nil }

  /// Whether it has the same bytes as `other`.
  func equals(_ other: RawSpan) -> Bool {
    byteCount == other.byteCount && matches(from: 0, count: byteCount, in: other, from: 0)
  }

  // MARK: Searches

  /// The first position of `byte` at or after `start`.
  ///
  /// - Complexity: O(n).
  func find(_ byte: UInt8, from start: Int = 0) -> Int? {
    guard start >= 0, start < byteCount else { return nil }
    return unsafe withUnsafeBytes { buffer -> Int? in
      guard let base = buffer.baseAddress else { return nil }
      guard
        let found = unsafe memchr(base.advanced(by: start), Int32(byte), buffer.count &- start)
      else { return nil }
      return unsafe UnsafeRawPointer(found) - base
    }
  }

  /// The first position of `text` at or after `start`.
  ///
  /// - Complexity: O(n) for texts whose first byte is not common.
  func find(_ text: StaticString, from start: Int = 0) -> Int? {
    guard text.utf8CodeUnitCount > 0 else { return nil }
    let first = unsafe text.utf8Start.pointee
    var from = start
    while let index = find(first, from: from) {
      if has(text, at: index) { return index }
      from = index &+ 1
    }
    return nil
  }

  /// The last position of `byte` before `end`.
  ///
  /// - Complexity: O(n).
  func findLast(_ byte: UInt8, before end: Int? = nil) -> Int? {
    var index = Swift.min(end ?? byteCount, byteCount)
    while index > 0 {
      index &-= 1
      if self.byte(index) == byte { return index }
    }
    return nil
  }

  /// The last position of `text`.
  ///
  /// - Complexity: O(n).
  func findLast(_ text: StaticString) -> Int? {
    guard text.utf8CodeUnitCount > 0 else { return nil }
    let first = unsafe text.utf8Start.pointee
    var end = byteCount
    while let index = findLast(first, before: end) {
      if has(text, at: index) { return index }
      end = index
    }
    return nil
  }

  // MARK: Parts

  /// The bytes from `start` on; empty past the end.
  @_lifetime(copy self)
  func from(_ start: Int) -> RawSpan {
    extracting(Swift.min(Swift.max(start, 0), byteCount)..<byteCount)
  }

  /// The bytes before `end`.
  @_lifetime(copy self)
  func upTo(_ end: Int) -> RawSpan { extracting(0..<Swift.min(Swift.max(end, 0), byteCount)) }

  /// The part of `range` that exists.
  @_lifetime(copy self)
  func part(_ range: Range<Int>) -> RawSpan { extracting(range.clamped(to: 0..<byteCount)) }

  /// The bytes from `start` to `end`, as far as they exist; empty if `end` is before `start`.
  @_lifetime(copy self)
  func between(_ start: Int, _ end: Int) -> RawSpan {
    let first = Swift.min(Swift.max(start, 0), byteCount)
    return extracting(first..<Swift.max(first, Swift.min(end, byteCount)))
  }

  /// The first offset at or after `start` that holds neither a blank nor a tab.
  func skippingBlanks(from start: Int) -> Int {
    var index = start
    while index < byteCount, byte(index).isBlank { index &+= 1 }
    return index
  }

  /// The line without surrounding blanks and tabs, its carriage returns, and the NULs with which some writers
  /// pad a file.
  var trimmed: RawSpan {
    @_lifetime(copy self)
    get {
      var start = 0
      var end = byteCount
      while start < end, byte(start).isBlankOrFill { start &+= 1 }
      while end > start, byte(end &- 1).isBlankOrFill { end &-= 1 }
      return extracting(start..<end)
    }
  }

  /// The text, cut off at ``FormatLimits/nameBytes``.
  var name: String { upTo(FormatLimits.nameBytes).text }

  // MARK: Numbers inside text

  /// The decimal number at `index`, which moves past its digits; `nil` if there is none or it needs more than
  /// 64 bits.
  func decimal(at index: inout Int) -> UInt64? {
    let start = index
    var value: UInt64 = 0
    var fits = true
    while index < byteCount, byte(index).isDigit {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(byte(index) &- 48))
      if overflow || carry { fits = false }
      value = sum
      index &+= 1
    }
    return index > start && fits ? value : nil
  }

  /// The hexadecimal number without `0x` at `index`, which moves past its digits; `nil` if there is none or
  /// it needs more than 64 bits.
  func hexadecimalDigits(at index: inout Int) -> UInt64? {
    let start = index
    var value: UInt64 = 0
    var fits = true
    while index < byteCount, let digit = byte(index).hexadecimalDigit {
      if value >> 60 != 0 { fits = false }
      value = value &<< 4 | UInt64(digit)
      index &+= 1
    }
    return index > start && fits ? value : nil
  }

  /// The hexadecimal number with `0x` at `index`, which moves past it; `nil`, with `index` unchanged, if
  /// there is no `0x`.
  func hexadecimal(at index: inout Int) -> UInt64? {
    guard has("0x", at: index) else { return nil }
    index &+= 2
    return hexadecimalDigits(at: &index)
  }

  /// The first number after `text`, which it must follow directly: `0x…` or decimal.
  func number(after text: StaticString) -> UInt64? {
    guard let found = find(text) else { return nil }
    var index = found &+ text.utf8CodeUnitCount
    return has("0x", at: index) ? hexadecimal(at: &index) : decimal(at: &index)
  }
}

extension UInt8 {
  /// Whether it is a blank or a tab, which separate the words of a line.
  @inline(__always) var isBlank: Bool { self == 0x20 || self == 0x09 }

  @inline(__always) fileprivate var isBlankOrFill: Bool { isBlank || self == 0x0D || self == 0 }

  @inline(__always) var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

  @inline(__always) var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }
}
