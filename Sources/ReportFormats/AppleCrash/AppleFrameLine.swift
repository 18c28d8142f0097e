internal import Bytes
internal import CrashModel

/// A frame of a text report: `INDEX  IMAGE  ADDRESS  REST`.
///
/// The image's name may hold blanks, so the address is looked for first: the first hexadecimal number
/// after two blanks or a tab, or after one blank where a long name leaves no more. What follows it is
/// one of
///
///     SYMBOL + OFFSET                       and then perhaps (FILE:LINE), (in IMAGE) or [inlined]
///     LOADADDRESS + OFFSET                  and then perhaps (SYMBOL + OFFSET)
///     IMAGE + OFFSET
///     LOADADDRESS + 0xOFFSET<tab>// SYMBOL + 0xOFFSET
///
/// Source: reports of iOS 6 to 18 and macOS 10.8 to 15, of PLCrashReporter and of KSCrash.
struct AppleFrameLine {
  var index: Int
  /// Where the image's name lies in the line.
  var image: Range<Int>
  var address: UInt64?
  var loadAddress: UInt64?
  var imageOffset: UInt64?
  var symbol: Range<Int>?
  var symbolOffset: UInt64?
  var file: Range<Int>?
  var line: Int?
  var isInlined = false

  /// Nothing yet; for ``parseRest(_:_:)`` on a line of its own.
  init() {
    index = 0
    image = 0..<0
  }

  /// - Parameter line: Without blanks at either end.
  init?(_ line: RawSpan) {
    var at = 0
    let end = line.byteCount
    var index = 0
    while at < end, at < 9, isDigit(line.byte(at)) {
      index = index * 10 + Int(line.byte(at) &- UInt8(ascii: "0"))
      at += 1
    }
    guard at > 0, at < end, isBlank(line.byte(at)) else { return nil }
    while at < end, isBlank(line.byte(at)) { at += 1 }
    let nameStart = at

    // The address.
    var found: Range<Int>?
    var probe = at
    while let zero = line.firstIndex(of: UInt8(ascii: "0"), from: probe) {
      probe = zero + 1
      guard zero > nameStart, isBlank(line.byte(zero - 1)),
        let token = Self.hexadecimalToken(line, at: zero)
      else { continue }
      let isWide =
        line.byte(zero - 1) == 0x09 || zero - 2 >= nameStart && isBlank(line.byte(zero - 2))
      if isWide {
        found = token
        break
      }
      if found == nil { found = token }
      probe = token.upperBound
    }
    self.index = index
    guard let token = found else {
      // `IMAGE  SYMBOL + OFFSET`, without an address.
      guard let gap = Self.wideGap(line, from: nameStart) else { return nil }
      image = nameStart..<gap.lowerBound
      var rest = gap.upperBound
      // The C library prints a null pointer without its `0x`.
      while rest < end, line.byte(rest) == UInt8(ascii: "0") { rest += 1 }
      if rest - gap.upperBound >= 8, rest == end || isBlank(line.byte(rest)) {
        address = 0
        while rest < end, isBlank(line.byte(rest)) { rest += 1 }
      } else {
        rest = gap.upperBound
      }
      parseRest(line, rest..<end)
      return
    }
    var nameEnd = token.lowerBound
    while nameEnd > nameStart, isBlank(line.byte(nameEnd - 1)) { nameEnd -= 1 }
    image = nameStart..<nameEnd
    address = line.extracting(token).unsignedNumber
    var rest = token.upperBound
    while rest < end, isBlank(line.byte(rest)) { rest += 1 }
    parseRest(line, rest..<end)
  }

  /// Reads what follows the address.
  mutating func parseRest(_ line: RawSpan, _ range: Range<Int>) {
    var start = range.lowerBound
    var end = range.upperBound
    func trim() { while end > start, isBlank(line.byte(end - 1)) { end -= 1 } }
    func ends(with text: StaticString) -> Bool {
      end - start >= text.utf8CodeUnitCount && line.hasText(text, at: end - text.utf8CodeUnitCount)
    }
    trim()
    if ends(with: "[inlined]") {
      isInlined = true
      end -= 9
      trim()
    }
    // Jailbreak tools put the symbol behind a comment mark.
    if let comment = line.extracting(start..<end).firstIndex(of: "\t//") {
      let symbolStart = min(start + comment + 3, end)
      var load = self
      load.takePlusOffset(line, start..<(start + comment))
      loadAddress = load.loadAddress
      imageOffset = load.imageOffset
      start = symbolStart
      while start < end, isBlank(line.byte(start)) { start += 1 }
    }
    // One or two groups in parentheses at the end: file and line, the image, or a symbol.
    var groups = 0
    while groups < 2, end > start, line.byte(end - 1) == UInt8(ascii: ")"),
      let open = line.extracting(start..<end).lastIndex(of: " (")
    {
      let inside = (start + open + 2)..<(end - 1)
      if let place = Self.place(line, inside) {
        file = place.file
        self.line = place.line
      } else if line.hasText("in ", at: inside.lowerBound) {
        // atos names the image.
      } else if takeSideBySide(line, start..<(start + open), inside) {
        return
      } else {
        break
      }
      end = start + open
      trim()
      groups += 1
    }
    // The leaks tool: `SYMBOL + OFFSET  FILE:LINE`.
    if file == nil, let gap = line.extracting(start..<end).lastIndex(of: "  "),
      let place = Self.place(line, (start + gap + 2)..<end)
    {
      file = place.file
      self.line = place.line
      end = start + gap
      trim()
    }
    if ends(with: "[inlined]") {
      isInlined = true
      end -= 9
      trim()
    }
    takePlusOffset(line, start..<end)
  }

  /// Reads `FILE:LINE`.
  mutating func takePlace(_ line: RawSpan, _ range: Range<Int>) {
    guard let place = Self.place(line, range) else { return }
    file = place.file
    self.line = place.line
  }

  /// `LOADADDRESS + OFFSET (SYMBOL + n)`.
  private mutating func takeSideBySide(
    _ line: RawSpan, _ outer: Range<Int>, _ inside: Range<Int>
  ) -> Bool {
    guard Self.hexadecimalToken(line, at: outer.lowerBound) != nil else { return false }
    takePlusOffset(line, outer)
    guard loadAddress != nil else { return false }
    takePlusOffset(line, inside)
    return true
  }

  /// Reads `WHAT + NUMBER`: the last plus sign counts, for symbols hold such signs too.
  private mutating func takePlusOffset(_ line: RawSpan, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    var name = range
    var offset: UInt64?
    if let plus = line.extracting(range).lastIndex(of: " + ") {
      let number = (range.lowerBound + plus + 3)..<range.upperBound
      if let value = line.extracting(number).trimmed.unsignedNumber {
        offset = value
        name = range.lowerBound..<(range.lowerBound + plus)
        while !name.isEmpty, isBlank(line.byte(name.upperBound - 1)) {
          name = name.lowerBound..<(name.upperBound - 1)
        }
      }
    } else if line.hasText("+ ", at: range.lowerBound),
      let value = line.extracting((range.lowerBound + 2)..<range.upperBound).unsignedNumber
    {
      // The end of a symbol that holds a line break.
      symbolOffset = value
      return
    }
    // sample: `SYMBOL  (in IMAGE)`, with the offset behind it.
    if line.byte(max(name.upperBound - 1, name.lowerBound)) == UInt8(ascii: ")"),
      let open = line.extracting(name).lastIndex(of: " (in ")
    {
      name = name.lowerBound..<(name.lowerBound + open)
      while !name.isEmpty, isBlank(line.byte(name.upperBound - 1)) {
        name = name.lowerBound..<(name.upperBound - 1)
      }
    }
    if let token = Self.hexadecimalToken(line, at: name.lowerBound), token == name {
      loadAddress = line.extracting(token).unsignedNumber
      imageOffset = offset
    } else if offset != nil, name.count == image.count,
      Self.isSame(line, name, image)
    {
      imageOffset = offset
    } else if !Self.isNoName(line.extracting(name)) {
      symbol = name
      symbolOffset = offset
    }
  }

  /// Whether a symbol says that there is none: `???`, `<redacted>`, and `0` for no load address.
  static func isNoName(_ name: RawSpan) -> Bool {
    name.byteCount == 0 || name.byteCount == 1 && name.byte(0) == UInt8(ascii: "0")
      || name.byteCount == 3 && name.hasPrefix("???")
      || name.byteCount == 10 && name.hasPrefix("<redacted>")
  }

  /// `FILE:LINE`, with the line `nil` for 0, which stands for code that the compiler made.
  private static func place(
    _ line: RawSpan, _ range: Range<Int>
  ) -> (file: Range<Int>, line: Int?)? {
    var at = range.upperBound
    var number = 0
    var unit = 1
    while at > range.lowerBound, isDigit(line.byte(at - 1)), unit < 1_000_000_000 {
      number += Int(line.byte(at - 1) &- UInt8(ascii: "0")) * unit
      unit *= 10
      at -= 1
    }
    guard at < range.upperBound, at - 1 > range.lowerBound, line.byte(at - 1) == UInt8(ascii: ":")
    else { return nil }
    return (range.lowerBound..<(at - 1), number == 0 ? nil : number)
  }

  /// `0x` and digits, up to a blank or the end.
  static func hexadecimalToken(_ line: RawSpan, at start: Int) -> Range<Int>? {
    guard line.hasText("0x", at: start) || line.hasText("0X", at: start) else { return nil }
    var at = start + 2
    while at < line.byteCount, hexadecimalDigit(line.byte(at)) != nil { at += 1 }
    guard at > start + 2, at == line.byteCount || isBlank(line.byte(at)) else { return nil }
    return start..<at
  }

  private static func isSame(_ line: RawSpan, _ one: Range<Int>, _ other: Range<Int>) -> Bool {
    for index in 0..<one.count
    where line.byte(one.lowerBound + index) != line.byte(other.lowerBound + index) {
      return false
    }
    return true
  }

  /// The first run of two blanks or more, or a tab.
  private static func wideGap(_ line: RawSpan, from start: Int) -> Range<Int>? {
    var at = start
    while at < line.byteCount {
      guard isBlank(line.byte(at)) else {
        at += 1
        continue
      }
      var end = at
      while end < line.byteCount, isBlank(line.byte(end)) { end += 1 }
      if (end - at >= 2 || line.byte(at) == 0x09) && end < line.byteCount { return at..<end }
      at = end
    }
    return nil
  }
}
