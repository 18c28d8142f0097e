internal import Bytes
internal import CrashModel

/// The two lines of a call: `main.(*Cart).total(0x0?, {0x1, 0x2})` and `	/app/cart.go:16 +0x39 fp=0x… pc=0x…`.
struct GoFrameLine {
  private(set) var frame: Frame
  /// Whether the name alone is not enough to identify a call.
  private(set) var needsLocation = false

  /// Reads the first of the lines; `nil` if it is not a call.
  init?(_ line: RawSpan) {
    guard line.byteCount > 2, line.byte(line.byteCount - 1) == UInt8(ascii: ")"),
      let open = line.findLast(UInt8(ascii: "(")), open > 0
    else { return nil }
    let name = line.upTo(open)
    guard name.find(32) == nil || name.contains("(*") || name.contains("["),
      name.byte(0).isLetter || name.byte(0) == UInt8(ascii: "_") || name.byte(0) >= 0x80,
      name.find(UInt8(ascii: ".")) != nil || name.byteCount == 5 && name.has("panic")
    else { return nil }
    // Inlined calls have no arguments of their own.
    frame = Frame(
      position: .adjusted, function: Self.function(name), inlined: line.has("(...)", at: open))
  }

  /// Reads a line without arguments, as after `created by `.
  init(name: RawSpan) { frame = Frame(position: .adjusted, function: Self.function(name)) }

  /// Reads the name of a function of C, which a traceback with a symbolizer has.
  init?(foreign line: RawSpan) {
    guard line.byteCount < 512, line.byteOrZero(0).isLetter || line.has("_"), line.find(32) == nil,
      line.find(UInt8(ascii: ":")) == nil
    else { return nil }
    self.init(name: line)
    needsLocation = true
  }

  /// The linker writes dots in the last part of a path as `%2e`.
  private static func function(_ name: RawSpan) -> String {
    guard name.find(UInt8(ascii: "%")) != nil else { return name.name }
    var bytes: [UInt8] = []
    var index = 0
    let name = name.upTo(FormatLimits.nameBytes)
    while index < name.byteCount {
      if name.byte(index) == UInt8(ascii: "%"),
        let high = name.byteOrZero(index + 1).hexadecimalDigit,
        let low = name.byteOrZero(index + 2).hexadecimalDigit
      {
        bytes.append(high << 4 | low)
        index += 3
      } else {
        bytes.append(name.byte(index))
        index += 1
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads the second line; returns whether it is one.
  mutating func addLocation(_ line: RawSpan) -> Bool {
    var end = line.byteCount
    if let found = line.find(" +0x") {
      end = found
      var digits = found + 2
      frame.symbolOffset = line.hexadecimal(at: &digits)
    } else if let found = line.find(" fp=0x") {
      end = found
    } else if let found = line.find(" sp=0x") ?? line.find(" pc=0x") {
      end = found
    }
    let location = SourceLocation(line.upTo(end).trimmed)
    guard location.hasNumber else {
      frame.symbolOffset = nil
      return false
    }
    if let file = location.file, location.column == nil {
      frame.file = file
      frame.line = location.line
    }
    // The runtime's function is printed under its name in the Go language.
    if frame.function == "panic", frame.file?.hasSuffix("runtime/panic.go") == true {
      frame.function = "runtime.gopanic"
    }
    return true
  }
}
