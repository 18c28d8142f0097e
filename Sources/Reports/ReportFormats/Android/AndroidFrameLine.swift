internal import Bytes
internal import CrashModel
internal import Identifiers

/// A frame as Android's unwinder prints it:
///
///     #00 pc 000603ca  /system/lib/libc.so (abort+166) (BuildId: 320fbdc2a1289fad)
///     #01 pc 0002c1f4  /data/app/x/base.apk!libtern.so (offset 0x1000) (tern::pay()+8)
///     #02 pc 00004456  <anonymous:ee137000>
///     #3 0x727d4dfdaf  (/system/lib/libc.so+0x31daf)                  by the runtime of a sanitizer
///     #00 0x00017574 /data/app/x/libtern.so (tern::pay()+20)          by `ndk-stack`
///
/// The number is the address in the file as it was linked, and already inside the call. Paths and names may
/// contain blanks and brackets.
///
/// Source: `FormatFrame` of libunwindstack, and `log_backtrace` of debuggerd.
struct AndroidFrameLine {
  let index: UInt64
  /// The address in the file.
  let relative: UInt64
  private(set) var path: String?
  /// Where the library begins in the file that was mapped: an archive holds several.
  private(set) var fileOffset: UInt64 = 0
  private(set) var function: String?
  private(set) var functionOffset: UInt64?
  private(set) var buildID: String?
  /// The address in memory, where it is printed.
  private(set) var address: UInt64?

  /// `nil` for any other line.
  init?(_ line: RawSpan) {
    guard line.has("#") else { return nil }
    var position = 1
    guard let index = line.decimal(at: &position), line.byteOrZero(position).isBlank else {
      return nil
    }
    self.index = index
    position = line.skippingBlanks(from: position)
    if line.has("0x", at: position) {
      guard let address = line.hexadecimal(at: &position) else { return nil }
      let rest = line.from(position).trimmed
      if rest.has("/") {
        relative = address
        readRest(rest)
        return
      }
      guard rest.has("("), let plus = rest.find("+0x") else { return nil }
      var digits = plus + 1
      guard let offset = rest.hexadecimal(at: &digits), rest.has(")", at: digits) else {
        return nil
      }
      self.address = address
      relative = offset
      path = rest.part(1..<plus).name
      return
    }
    guard line.has("pc ", at: position) else { return nil }
    position = line.skippingBlanks(from: position + 3)
    if line.has("0x", at: position) { position += 2 }
    guard let relative = line.hexadecimalDigits(at: &position),
      position == line.byteCount || line.byte(position).isBlank
    else { return nil }
    self.relative = relative
    readRest(line.from(position).trimmed)
  }

  /// `PATH (offset 0x1000) (FUNCTION+8) (BuildId: ID)`, all but the path optional.
  private mutating func readRest(_ text: RawSpan) {
    var rest = text
    if let start = rest.findLast(" (BuildId: ") {
      let id = rest.from(start + 11)
      buildID = id.upTo(Self.end(ofID: id)).name
      rest = rest.upTo(start).trimmed
    }
    while let group = Self.lastGroup(of: rest) {
      let inside = rest.part(group + 1..<rest.byteCount - 1)
      if inside.has("deleted") { break }
      if inside.has("offset ") {
        var digits = inside.has("0x", at: 7) ? 9 : 7
        fileOffset = inside.hexadecimalDigits(at: &digits) ?? 0
      } else if function == nil {
        readFunction(inside)
      } else {
        break
      }
      rest = rest.upTo(group).trimmed
    }
    guard rest.byteCount > 0, !rest.has("<unknown>"), !rest.has("???") else { return }
    path = rest.name
  }

  private static func end(ofID text: RawSpan) -> Int {
    var end = 0
    while end < text.byteCount, text.byte(end).hexadecimalDigit != nil { end += 1 }
    return end
  }

  /// Where the last group in brackets begins, if the text ends with one.
  private static func lastGroup(of text: RawSpan) -> Int? {
    guard text.byteCount > 2, text.byte(text.byteCount - 1) == UInt8(ascii: ")") else { return nil }
    var depth = 0
    var index = text.byteCount
    while index > 0 {
      index -= 1
      let byte = text.byte(index)
      if byte == UInt8(ascii: ")") { depth += 1 }
      if byte == UInt8(ascii: "(") {
        depth -= 1
        if depth == 0, index > 0, text.byte(index - 1).isBlank, !isInName(text, index) {
          return index
        }
      }
    }
    // A name that was cut off has unbalanced brackets.
    return text.find(" (").map { $0 + 1 }
  }

  /// Whether the bracket at `index` continues a name, such as `foo() (.cfi)+4`: `(.` begins a suffix.
  private static func isInName(_ text: RawSpan, _ index: Int) -> Bool {
    text.byteOrZero(index + 1) == UInt8(ascii: ".")
  }

  /// `NAME+8`.
  private mutating func readFunction(_ text: RawSpan) {
    var name = text
    if let plus = text.findLast(UInt8(ascii: "+")) {
      var digits = plus + 1
      if let offset = text.decimal(at: &digits), digits == text.byteCount {
        functionOffset = offset
        name = text.upTo(plus)
      }
    }
    let isUnknown = name.has("???") || name.byteCount == 0
    function = isUnknown ? "" : name.name
  }

  /// The frame, with an image of `images`.
  ///
  /// - Parameter isFirst: Whether it is the youngest of its stack, whose address is the instruction itself.
  func frame(in images: inout AndroidImages, isFirst: Bool) -> Frame {
    var frame = Frame(
      address: address.map { Address($0) }, position: isFirst ? .exact : .adjusted)
    if let path {
      frame.image = images.index(of: path, fileOffset: fileOffset, buildID: buildID)
      frame.imageOffset = ImageOffset(relative)
    } else if address == nil {
      // Outside all files the number is the address itself.
      frame.address = Address(relative)
    }
    if let function, !function.isEmpty {
      frame.function = function
      frame.symbolOffset = functionOffset
    }
    return frame
  }
}
