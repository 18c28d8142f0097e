internal import Bytes

/// A frame of a BSD kernel's stack:
///
///     tern_close(3,ffff800000a92400) at tern_close+0x79           OpenBSD, FreeBSD of 32 bits
///     tern_close() at tern_close+0x47/frame 0xfffffe000c95b2f0    FreeBSD
///     tern_close() at netbsd:tern_close+0x29d                     NetBSD, with the module
///     fp ffffc0004f63fb60 tern_close() at ffffc00000438f1c netbsd:tern_close+0x15c     NetBSD on arm
///     tern_close() at tern_close+0x236 0xffffffff80610ad6         DragonFly
///     #4 0xffffffff80a6b9e3 at tern_close+0x43                    FreeBSD without a debugger
///     #1  tern_close+0x43                                         OpenBSD's witness
///     0xe0000000006b9e30: at tern_close+0x43                      FreeBSD on powerpc
///
/// A tool may have added the source after each: ` FILE:LINE`, or ` INLINED FILE:LINE [inline]` for a call
/// that was inlined into the function.
struct BSDFrameLine {
  var function: String
  var offset: UInt64?
  var address: UInt64?
  var module: String?
  var file: String?
  var line: Int?
  var isInlined = false
  /// Whether the line has the form with a number and an address, which gives no frame of the trap itself.
  var isNumbered = false

  private init(function: String) { self.function = function }

  init?(_ line: RawSpan) {
    guard line.byteCount > 4, line.byteCount < 2048 else { return nil }
    self.init(function: "")
    var rest = line
    if line.byte(0) == UInt8(ascii: "#") {
      guard let start = readNumbered(line) else { return nil }
      rest = line.from(start)
    } else if let mark = line.find(") at ") {
      guard let open = line.find(UInt8(ascii: "(")), open > 0, open <= mark else { return nil }
      rest = line.from(mark + 5)
    } else if line.has("0x"), let mark = line.find(": at ") {
      var index = 0
      address = line.hexadecimal(at: &index)
      guard address != nil, index == mark else { return nil }
      rest = line.from(mark + 5)
    } else {
      return nil
    }
    guard readLocation(rest) else { return nil }
  }

  /// `#4 0xffffffff80a6b9e3 at `, `#1  `; returns where the location begins.
  private mutating func readNumbered(_ line: RawSpan) -> Int? {
    isNumbered = true
    var index = 1
    guard line.decimal(at: &index) != nil, line.byteOrZero(index).isBlank else { return nil }
    index = line.skippingBlanks(from: index)
    guard line.has("0x", at: index) else {
      // Only `NAME+0xOFFSET` shows that it is a kernel's.
      return line.from(index).contains("+0x") ? index : nil
    }
    address = line.hexadecimal(at: &index)
    guard address != nil, line.has(" at ", at: index) else { return nil }
    return index + 4
  }

  private static func isName(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || byte >= 0x80 || byte.isOne(of: "_.$<>:~")
  }

  /// `netbsd:NAME+0xOFFSET/frame 0x… FILE:LINE`.
  private mutating func readLocation(_ text: RawSpan) -> Bool {
    var start = 0
    // `ffffc00000438f1c netbsd:…`
    if let value = text.hexadecimalDigits(at: &start), start >= 8, text.byteOrZero(start).isBlank {
      address = value
      start = text.skippingBlanks(from: start)
    } else {
      start = 0
    }
    var end = start
    while end < text.byteCount, Self.isName(text.byte(end)) { end += 1 }
    var name = text.between(start, end)
    guard name.byteCount > 0, name.byteCount < 512, !name.byte(0).isDigit else { return false }
    if let colon = name.find(UInt8(ascii: ":")), colon > 0,
      name.byteOrZero(colon + 1) != UInt8(ascii: ":")
    {
      module = name.upTo(colon).name
      name = name.from(colon + 1)
      guard name.byteCount > 0 else { return false }
    }
    function = name.name
    if text.has("+0x", at: end) {
      end += 1
      offset = text.hexadecimal(at: &end)
      guard offset != nil else { return false }
    }
    if text.has("/frame 0x", at: end) {
      end += 7
      _ = text.hexadecimal(at: &end)
    }
    guard end == text.byteCount || text.byte(end).isBlank else { return false }
    return readSource(text.from(end).trimmed)
  }

  /// Whether the text is only an ending of such lines.
  private mutating func readSource(_ text: RawSpan) -> Bool {
    guard text.byteCount > 0 else { return true }
    var start = 0
    if text.has("0x"), let value = text.hexadecimal(at: &start) {
      address = address ?? value
      return start == text.byteCount
    }
    var rest = text
    isInlined = rest.ends(with: " [inline]")
    if isInlined {
      rest = rest.upTo(rest.byteCount - 9)
      guard let blank = rest.find(32) else { return false }
      function = rest.upTo(blank).name
      offset = nil
      rest = rest.from(blank + 1)
    }
    let location = SourceLocation(rest)
    guard location.hasNumber, rest.find(32) == nil else { return false }
    (file, line) = (location.file, location.line)
    return true
  }
}
