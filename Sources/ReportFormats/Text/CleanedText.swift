internal import Bytes

/// The bytes of a text file as the readers want them: as far as is searched, and free of what
/// terminals and web pages put into a log.
///
/// - A byte-order mark goes.
/// - Terminal escapes go (ECMA-48: `ESC [ … final` and `ESC ] … BEL`).
/// - A carriage return that is not part of a line end becomes a line end: what stands after it was
///   printed over what stood before.
/// - `&lt;`, `&gt;`, `&amp;`, `&quot;` and `&#39;` become what they stand for.
struct CleanedText: Sendable {
  let bytes: ByteView
  /// Whether the file is longer than what is searched.
  let isCut: Bool
  /// Whether ``bytes`` differ from the file's.
  let isCleaned: Bool

  /// - Complexity: O(n); a copy is made only when something has to go.
  init(_ file: ByteView) {
    isCut = file.count > FormatLimits.searchedBytes
    let start = file.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    let window = file.clamped(start..<min(file.count, FormatLimits.searchedBytes))
    let needsCleaning = Self.needsCleaning(window.bytes)
    bytes = needsCleaning ? Self.cleaned(window.bytes) : window
    isCleaned = needsCleaning || start > 0
  }

  private static func needsCleaning(_ bytes: RawSpan) -> Bool {
    if bytes.find(0x1b) != nil { return true }
    var index = 0
    while let found = bytes.find(13, from: index) {
      if bytes.byteOrZero(found + 1) != 10 { return true }
      index = found + 2
    }
    index = 0
    while let found = bytes.find(UInt8(ascii: "&"), from: index) {
      if entity(in: bytes, at: found) != nil { return true }
      index = found + 1
    }
    return false
  }

  private static func entity(in bytes: RawSpan, at index: Int) -> (byte: UInt8, count: Int)? {
    if bytes.has("&lt;", at: index) { return (UInt8(ascii: "<"), 4) }
    if bytes.has("&gt;", at: index) { return (UInt8(ascii: ">"), 4) }
    if bytes.has("&amp;", at: index) { return (UInt8(ascii: "&"), 5) }
    if bytes.has("&quot;", at: index) { return (UInt8(ascii: "\""), 6) }
    if bytes.has("&#39;", at: index) { return (UInt8(ascii: "'"), 5) }
    return nil
  }

  private static func cleaned(_ bytes: RawSpan) -> ByteView {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.byteCount)
    var index = 0
    while index < bytes.byteCount {
      let byte = bytes.byte(index)
      switch byte {
      case 0x1b: index = endOfEscape(in: bytes, at: index)
      case 13:
        // A line end of two carriage returns and a line feed is one line end.
        var next = index + 1
        while bytes.byteOrZero(next) == 13 { next += 1 }
        if bytes.byteOrZero(next) != 10 { result.append(10) }
        index = next
      case UInt8(ascii: "&"):
        if let entity = entity(in: bytes, at: index) {
          result.append(entity.byte)
          index += entity.count
        } else {
          result.append(byte)
          index += 1
        }
      default:
        result.append(byte)
        index += 1
      }
    }
    return ByteView(result)
  }

  /// The offset after the escape at `index`. An escape that does not end is one byte long.
  private static func endOfEscape(in bytes: RawSpan, at index: Int) -> Int {
    let limit = min(bytes.byteCount, index + 256)
    switch bytes.byteOrZero(index + 1) {
    case UInt8(ascii: "["):
      var end = index + 2
      while end < limit, (0x20...0x3f).contains(bytes.byte(end)) { end += 1 }
      return end < limit && (0x40...0x7e).contains(bytes.byte(end)) ? end + 1 : index + 1
    case UInt8(ascii: "]"):
      var end = index + 2
      while end < limit, bytes.byte(end) != 7, bytes.byte(end) != 10 { end += 1 }
      return end < limit && bytes.byte(end) == 7 ? end + 1 : index + 1
    default: return index + 1
    }
  }
}
