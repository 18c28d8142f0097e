internal import Bytes

/// One frame as `swift-backtrace` prints it:
///
///     INDEX [FLAG]… ADDRESS SYMBOL + OFFSET in IMAGE at FILE:LINE:COLUMN
///
/// Flags are `[ra]`, `[async]`, `[inlined]`, `[system]` and `[thunk]`. The address is missing if the friendly
/// preset shows the source, everything after it with `symbolicate=off`, ` + OFFSET` in inlined and
/// asynchronous frames, ` at …` if no line is known.
///
/// Source: swift-backtrace of Swift 6.1 and 6.3, all presets.
struct SwiftFrameLine {
  var index: UInt64
  var isReturnAddress = false
  var isAsync = false
  var isInlined = false
  var isSystem = false
  var isThunk = false
  var address: UInt64?
  var symbol: String?
  var symbolOffset: UInt64?
  var image: String?
  var location: SourceLocation?

  /// Reads a line without the blanks around it; `nil` when it is not a frame.
  init?(_ text: RawSpan) {
    var position = 0
    guard text.byteOrZero(0).isDigit, let index = text.decimal(at: &position),
      text.byteOrZero(position).isBlank
    else { return nil }
    self.index = index
    position = text.skippingBlanks(from: position)
    var hasFlag = false
    while text.byteOrZero(position) == UInt8(ascii: "["),
      let close = text.find(UInt8(ascii: "]"), from: position), close - position < 12
    {
      let flag = text.part(position + 1..<close)
      if flag.has("ra") && flag.byteCount == 2 {
        isReturnAddress = true
      } else if flag.has("async") {
        isAsync = true
      } else if flag.has("inlined") {
        isInlined = true
      } else if flag.has("system") {
        isSystem = true
      } else if flag.has("thunk") {
        isThunk = true
      } else {
        break
      }
      hasFlag = true
      position = text.skippingBlanks(from: close + 1)
    }
    if text.has("0x", at: position) {
      guard let address = text.hexadecimal(at: &position) else { return nil }
      self.address = address
      let next = text.byteOrZero(position)
      guard next == 0 || next.isBlank else { return nil }
      position = text.skippingBlanks(from: position)
    }
    let rest = text.from(position)
    if address == nil {
      // A line of source or of anything else that begins with a number is not a frame.
      guard hasFlag || rest.contains(" in ") else { return nil }
      guard !rest.has("|"), !rest.has("\u{2502}") else { return nil }
    }
    readSymbol(rest)
  }

  private mutating func readSymbol(_ text: RawSpan) {
    guard text.byteCount > 0 else { return }
    // The last ` + N in ` ends the symbol, which may contain any of these words.
    var from = text.byteCount
    while let plus = text.upTo(from).findLast(" + ") {
      var position = plus + 3
      if let offset = text.decimal(at: &position) {
        if text.has(" in ", at: position) {
          set(text.upTo(plus), offset: offset)
          readImage(text.from(position + 4))
          return
        }
        if position == text.byteCount {
          set(text.upTo(plus), offset: offset)
          return
        }
      }
      from = plus
    }
    // Without an offset: the location from the right, then the image.
    var end = text.byteCount
    if let at = Self.startOfLocation(text) {
      location = SourceLocation(text.from(at + 4))
      end = at
    }
    let part = text.upTo(end)
    if part.has("in "), part.find(" in ") == nil {
      image = part.from(3).trimmed.name
    } else if let found = part.findLast(" in ") {
      image = part.from(found + 4).trimmed.name
      set(part.upTo(found), offset: nil)
    } else {
      set(part, offset: nil)
    }
  }

  private mutating func set(_ symbol: RawSpan, offset: UInt64?) {
    let name = symbol.trimmed
    guard name.byteCount > 0, !name.has("<unknown>") else { return }
    self.symbol = name.name
    symbolOffset = offset
  }

  /// `IMAGE at FILE:LINE:COLUMN`.
  private mutating func readImage(_ text: RawSpan) {
    guard let at = text.find(" at ") else {
      image = text.trimmed.name
      return
    }
    image = text.upTo(at).name
    location = SourceLocation(text.from(at + 4).trimmed)
  }

  /// The position of the ` at ` before a path or a text with a line number.
  private static func startOfLocation(_ text: RawSpan) -> Int? {
    if let at = text.findLast(" at /") { return at }
    if let at = text.findLast(" at <") { return at }
    guard let at = text.findLast(" at ") else { return nil }
    return SourceLocation(text.from(at + 4)).line == nil ? nil : at
  }

  /// Whether `name` is the linker's, not a readable one.
  static func isMangled(_ name: String) -> Bool {
    guard let first = name.utf8.first, first == UInt8(ascii: "$") || first == UInt8(ascii: "_")
    else {
      return false
    }
    return ["$s", "$S", "_$s", "_$S", "$e", "_T0", "_Z", "__Z", "_R"].contains {
      name.hasPrefix($0)
    }
      && !name.utf8.contains(UInt8(ascii: " ")) && !name.utf8.contains(UInt8(ascii: "("))
  }
}
