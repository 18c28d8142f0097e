internal import Bytes

/// A frame of a text report: `INDEX  IMAGE  ADDRESS  REST`.
///
/// The image's name may hold blanks, so the address is searched first: the first hexadecimal number after two
/// blanks or a tab, or after one blank if a long name leaves no more. The rest after it is one of
///
///     SYMBOL + OFFSET                       and then perhaps (FILE:LINE), (in IMAGE) or [inlined]
///     LOADADDRESS + OFFSET                  and then perhaps (SYMBOL + OFFSET)
///     IMAGE + OFFSET
///     LOADADDRESS + 0xOFFSET<tab>// SYMBOL + 0xOFFSET
///
/// Source: reports of iOS 6 to 18 and macOS 10.8 to 15, of PLCrashReporter and of KSCrash.
struct AppleFrameLine {
  var index: Int
  /// The range of the image's name in the line.
  var image: Range<Int>
  var address: UInt64?
  var loadAddress: UInt64?
  var imageOffset: UInt64?
  var symbol: Range<Int>?
  var symbolOffset: UInt64?
  var file: Range<Int>?
  var line: Int?
  var isInlined = false

  /// An empty line, for ``parseRest(_:_:)`` on a separate line.
  init() {
    index = 0
    image = 0..<0
  }

  /// - Parameter line: The line without blanks at either end.
  init?(_ line: RawSpan) {
    var at = 0
    let end = line.byteCount
    var index = 0
    while at < end, at < 9, line.byte(at).isDigit {
      index = index * 10 + Int(line.byte(at) &- UInt8(ascii: "0"))
      at += 1
    }
    guard at > 0, at < end, line.byte(at).isBlank else { return nil }
    at = line.skippingBlanks(from: at)
    let nameStart = at

    // The address.
    var found: Range<Int>?
    var probe = at
    while let zero = line.find(UInt8(ascii: "0"), from: probe) {
      probe = zero + 1
      guard zero > nameStart, line.byte(zero - 1).isBlank,
        let token = Self.hexadecimalToken(line, at: zero)
      else { continue }
      let isWide =
        line.byte(zero - 1) == 0x09 || zero - 2 >= nameStart && line.byte(zero - 2).isBlank
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
      if rest - gap.upperBound >= 8, rest == end || line.byte(rest).isBlank {
        address = 0
        rest = line.skippingBlanks(from: rest)
      } else {
        rest = gap.upperBound
      }
      parseRest(line, rest..<end)
      return
    }
    var nameEnd = token.lowerBound
    while nameEnd > nameStart, line.byte(nameEnd - 1).isBlank { nameEnd -= 1 }
    image = nameStart..<nameEnd
    address = line.part(token).unsignedNumber
    var rest = token.upperBound
    rest = line.skippingBlanks(from: rest)
    parseRest(line, rest..<end)
  }

  /// Reads what follows the address.
  mutating func parseRest(_ line: RawSpan, _ range: Range<Int>) {
    var start = range.lowerBound
    var end = range.upperBound
    func trim() { while end > start, line.byte(end - 1).isBlank { end -= 1 } }
    func ends(with text: StaticString) -> Bool {
      end - start >= text.utf8CodeUnitCount && line.has(text, at: end - text.utf8CodeUnitCount)
    }
    trim()
    if ends(with: "[inlined]") {
      isInlined = true
      end -= 9
      trim()
    }
    // Jailbreak tools put the symbol after a comment mark.
    if let comment = line.part(start..<end).find("\t//") {
      let symbolStart = min(start + comment + 3, end)
      var load = self
      load.takePlusOffset(line, start..<(start + comment))
      loadAddress = load.loadAddress
      imageOffset = load.imageOffset
      start = min(line.skippingBlanks(from: symbolStart), end)
    }
    // One or two groups in parentheses at the end: file and line, the image, or a symbol.
    var groups = 0
    while groups < 2, end > start, line.byte(end - 1) == UInt8(ascii: ")"),
      let open = line.part(start..<end).findLast(" (")
    {
      let inside = (start + open + 2)..<(end - 1)
      if let location = Self.location(line, inside) {
        file = location.file
        self.line = location.line
      } else if line.has("in ", at: inside.lowerBound) {
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
    if file == nil, let gap = line.part(start..<end).findLast("  "),
      let location = Self.location(line, (start + gap + 2)..<end)
    {
      file = location.file
      self.line = location.line
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
  mutating func takeLocation(_ line: RawSpan, _ range: Range<Int>) {
    guard let location = Self.location(line, range) else { return }
    file = location.file
    self.line = location.line
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

  /// Reads `WHAT + NUMBER`: the last plus sign counts, as symbols may contain others.
  private mutating func takePlusOffset(_ line: RawSpan, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    var name = range
    var offset: UInt64?
    if let plus = line.part(range).findLast(" + ") {
      let number = (range.lowerBound + plus + 3)..<range.upperBound
      if let value = line.part(number).trimmed.unsignedNumber {
        offset = value
        name = range.lowerBound..<(range.lowerBound + plus)
        while !name.isEmpty, line.byte(name.upperBound - 1).isBlank {
          name = name.lowerBound..<(name.upperBound - 1)
        }
      }
    } else if line.has("+ ", at: range.lowerBound),
      let value = line.part((range.lowerBound + 2)..<range.upperBound).unsignedNumber
    {
      // The end of a symbol that holds a line break.
      symbolOffset = value
      return
    }
    // sample: `SYMBOL  (in IMAGE)`, with the offset after it.
    if line.byte(max(name.upperBound - 1, name.lowerBound)) == UInt8(ascii: ")"),
      let open = line.part(name).findLast(" (in ")
    {
      name = name.lowerBound..<(name.lowerBound + open)
      while !name.isEmpty, line.byte(name.upperBound - 1).isBlank {
        name = name.lowerBound..<(name.upperBound - 1)
      }
    }
    if let token = Self.hexadecimalToken(line, at: name.lowerBound), token == name {
      loadAddress = line.part(token).unsignedNumber
      imageOffset = offset
    } else if offset != nil, name.count == image.count,
      Self.isSame(line, name, image)
    {
      imageOffset = offset
    } else if !Self.isNoName(line.part(name)) {
      symbol = name
      symbolOffset = offset
    }
  }

  /// Whether a symbol is a placeholder: `???`, `<redacted>`, and `0` for no load address.
  static func isNoName(_ name: RawSpan) -> Bool {
    name.byteCount == 0 || name.byteCount == 1 && name.byte(0) == UInt8(ascii: "0")
      || name.byteCount == 3 && name.has("???")
      || name.byteCount == 10 && name.has("<redacted>")
  }

  /// `FILE:LINE`, with the line `nil` for 0, which marks code generated by the compiler.
  private static func location(
    _ line: RawSpan, _ range: Range<Int>
  ) -> (file: Range<Int>, line: Int?)? {
    var at = range.upperBound
    var number = 0
    var unit = 1
    while at > range.lowerBound, line.byte(at - 1).isDigit, unit < 1_000_000_000 {
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
    guard line.has("0x", at: start) || line.has("0X", at: start) else { return nil }
    var at = start + 2
    while at < line.byteCount, line.byte(at).hexadecimalDigit != nil { at += 1 }
    guard at > start + 2, at == line.byteCount || line.byte(at).isBlank else { return nil }
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
      guard line.byte(at).isBlank else {
        at += 1
        continue
      }
      var end = at
      end = line.skippingBlanks(from: end)
      if (end - at >= 2 || line.byte(at) == 0x09) && end < line.byteCount { return at..<end }
      at = end
    }
    return nil
  }
}
