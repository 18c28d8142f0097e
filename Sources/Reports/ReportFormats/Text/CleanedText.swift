internal import Bytes

/// The bytes of a text file as the readers need them: the searched part, without additions by terminals and
/// web pages.
///
/// - A byte-order mark is removed.
/// - Terminal escapes are removed (ECMA-48: `ESC [ … final` and `ESC ] … BEL`).
/// - A line of two carriage returns and a line feed, or of one, ends with a line feed. A carriage return
///   alone becomes a line end: the text after it was printed over the text before.
/// - No-break spaces, with which web pages separate columns, become blanks.
/// - The tags of a web page are removed, those of blocks end a line, and `&lt;`, `&nbsp;`, `&#39;` and
///   similar escapes are decoded.
struct CleanedText: Sendable {
  let bytes: ByteView
  /// Whether the file is longer than the searched part.
  let isCut: Bool
  /// Whether ``bytes`` differ from the file's.
  let isCleaned: Bool
  /// The starts of lines that were printed over the one before, which has the prefix of both.
  let overprints: Set<Int>

  /// - Complexity: O(n); a copy is made only if something is removed.
  init(_ file: ByteView) {
    isCut = file.count > FormatLimits.searchedBytes
    let start = file.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    let window = file.clamped(start..<min(file.count, FormatLimits.searchedBytes))
    // Markup in JSON and XML is their own, not a web page's.
    let isWeb = !Self.isStructured(window.bytes.upTo(4096))
    let needsCleaning = Self.needsCleaning(window.bytes, isWeb: isWeb)
    if needsCleaning {
      (bytes, overprints) = Self.cleaned(window.bytes, isWeb: isWeb)
    } else {
      (bytes, overprints) = (window, [])
    }
    isCleaned = needsCleaning || start > 0
  }

  /// Whether the text is JSON or XML.
  private static func isStructured(_ head: RawSpan) -> Bool {
    var start = 0
    while [9, 10, 13, 32].contains(head.byteOrZero(start)) { start += 1 }
    var next = start + 1
    while [9, 10, 13, 32].contains(head.byteOrZero(next)) { next += 1 }
    switch head.byteOrZero(start) {
    case UInt8(ascii: "{"): return head.byteOrZero(next).isOne(of: "\"}")
    case UInt8(ascii: "["): return head.byteOrZero(next).isOne(of: "{\"[]")
    case UInt8(ascii: "<"):
      return head.has("<?xml", at: start) || head.has("<FGenericCrashContext", at: start)
    default: return false
    }
  }

  private static func needsCleaning(_ bytes: RawSpan, isWeb: Bool) -> Bool {
    if bytes.find(0x1b) != nil || bytes.find(13) != nil { return true }
    if bytes.find("\u{a0}") != nil { return true }
    guard isWeb else { return false }
    if HTMLText.isPage(bytes) { return true }
    var index = 0
    while let found = bytes.find(UInt8(ascii: "&"), from: index) {
      if HTMLText.entity(in: bytes, at: found) != nil { return true }
      index = found + 1
    }
    return false
  }

  private static func cleaned(_ bytes: RawSpan, isWeb: Bool) -> (ByteView, Set<Int>) {
    var overprints: Set<Int> = []
    let isPage = isWeb && HTMLText.isPage(bytes)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.byteCount)
    var index = 0
    while index < bytes.byteCount {
      let byte = bytes.byte(index)
      switch byte {
      case 0x1b: index = endOfEscape(in: bytes, at: index)
      case 13:
        var next = index + 1
        while bytes.byteOrZero(next) == 13 { next += 1 }
        if bytes.byteOrZero(next) != 10 {
          result.append(10)
          overprints.insert(result.count)
        }
        index = next
      case 0xc2 where bytes.byteOrZero(index + 1) == 0xa0:
        result.append(32)
        index += 2
      case UInt8(ascii: "<") where isPage:
        if let tag = HTMLText.tag(in: bytes, at: index) {
          index = tag.end
          if tag.isBlock {
            if tag.isBreak || result.last.map({ $0 != 10 }) ?? false { result.append(10) }
            // The line end after a tag is the same one, but a block's end is a separate line.
            if tag.endsText { result.append(10) }
            if bytes.byteOrZero(index) == 13 { index += 1 }
            if bytes.byteOrZero(index) == 10 { index += 1 }
          }
        } else {
          result.append(byte)
          index += 1
        }
      case UInt8(ascii: "&") where isWeb:
        if let entity = HTMLText.entity(in: bytes, at: index) {
          result.append(contentsOf: entity.text)
          index = entity.end
        } else {
          result.append(byte)
          index += 1
        }
      default:
        result.append(byte)
        index += 1
      }
    }
    return (ByteView(result), overprints)
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
