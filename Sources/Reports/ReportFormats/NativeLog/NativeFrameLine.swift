internal import Bytes

/// One line of a program's own stack trace.
///
///     @     0x7f9d5bb0a520  15728  main                    glog, abseil (with the frame's size), folly (no `0x`)
///     #3 0x7f48b4856ef4 ui::LatencyInfo::Add()             Chromium, LLVM
///     #4 0x55d1 (/opt/tern/tern+0x1234)
///     ./tern(main+0x1f) [0x401234]                         `backtrace_symbols` of glibc; `./tern(+0x1f)[0x401234]`
///     0   tern     0x0000000100003f2a main + 26            the same of Apple's and BSD's C libraries
///     main [0x00007FF9B2DDC1BA+58] (base/a.cc:332)         Chromium on Windows
///     0# main at /src/tern.cpp:70                          Boost, `std::stacktrace`; `0# 0x401234 in ./tern`
///     #4    Object "./tern", at 0x401234, in main          backward-cpp
///
/// Source: these libraries.
struct NativeFrameLine {
  enum Form: Equatable {
    case at, numbered, symbols, apple, windows, stacktrace, backward
  }

  let form: Form
  /// The number of the frame, if it has one.
  private(set) var index: UInt64?
  private(set) var address: UInt64?
  private(set) var function: String?
  private(set) var symbolOffset: UInt64?
  private(set) var module: String?
  private(set) var moduleOffset: UInt64?
  private(set) var location: SourceLocation?

  /// Whether the address is a linked address, of a program that is not position-independent: for any other,
  /// glibc gives an offset into the file if it knows no symbol.
  ///
  /// Source: `debug/backtracesyms.c` of glibc.
  var isUnmoved: Bool {
    guard form == .symbols, function == nil, module != nil, moduleOffset == nil, let address else {
      return false
    }
    return address <= UInt32.max
  }

  /// - Parameter line: The line without surrounding blanks.
  init?(_ line: RawSpan) {
    guard let frame = Self.read(line) else { return nil }
    self = frame
  }

  private static func read(_ line: RawSpan) -> NativeFrameLine? {
    let first = line.byteOrZero(0)
    if first == UInt8(ascii: "@") { return Self(at: line) }
    if first == UInt8(ascii: "#"), line.contains(", in ") { return Self(backward: line) }
    if first == UInt8(ascii: "#") { return Self(numbered: line) ?? Self(symbols: line) }
    if line.ends(with: "]") || line.contains(")[0x") || line.contains(") [0x") {
      return Self(symbols: line) ?? Self(windows: line)
    }
    if line.contains(" [0x") { return Self(windows: line) }
    return first.isDigit ? Self(stacktrace: line) ?? Self(apple: line) : nil
  }

  private init(_ form: Form) { self.form = form }

  // MARK: glog, abseil, folly

  private init?(at line: RawSpan) {
    self.init(.at)
    guard line.has("@ ") else { return nil }
    var position = line.skippingBlanks(from: 1)
    let start = position
    address = line.hexadecimal(at: &position)
    if address == nil {
      address = line.hexadecimalDigits(at: &position)
      guard position - start >= 8 else { return nil }
    }
    guard address != nil, position == line.byteCount || line.byte(position).isBlank else {
      return nil
    }
    var name = line.from(position).trimmed
    // The size of the frame on the stack, in abseil's form.
    var digits = 0
    if name.decimal(at: &digits) != nil, name.byteOrZero(digits).isBlank {
      name = name.from(digits).trimmed
    } else if name.has("(unknown)"), name.byteCount > 9 {
      name = name.from(9).trimmed
    }
    if name.has("("), let close = name.find(") ") {
      let source = SourceLocation(name.between(1, close))
      if source.hasNumber {
        location = source
        name = name.from(close + 2).trimmed
      }
    }
    setFunction(name)
  }

  // MARK: Chromium, LLVM

  private init?(numbered line: RawSpan) {
    guard line.has("#"), SanitizerFrame(line)?.address != nil else { return nil }
    // Debuggers and sanitizers write `in` before the function.
    var position = line.skippingBlanks(from: 1)
    _ = line.decimal(at: &position)
    position = line.skippingBlanks(from: position)
    _ = line.hexadecimal(at: &position)
    guard !line.has("in ", at: line.skippingBlanks(from: position)) else { return nil }
    self.init(lookedUp: line)
  }

  /// A frame symbolicated by `asan_symbolize` or a similar tool: `#4 0x55d1 in main /src/a.cc:12:3`. Only the
  /// text above its stack distinguishes it from a sanitizer's.
  init?(lookedUp line: RawSpan) {
    self.init(.numbered)
    guard line.has("#"), let frame = SanitizerFrame(line), let address = frame.address else {
      return nil
    }
    index = frame.index
    self.address = address
    function = frame.function
    if let file = frame.file {
      var source = SourceLocation(file: file)
      source.line = frame.line
      source.column = frame.column
      location = source
    }
    module = frame.module?.path
    moduleOffset = frame.module?.offset
  }

  // MARK: backtrace_symbols

  private init?(symbols line: RawSpan) {
    self.init(.symbols)
    guard let open = line.findLast("[0x") else { return nil }
    var position = open + 1
    guard let address = line.hexadecimal(at: &position), line.byteOrZero(position) == 0x5D else {
      return nil
    }
    self.address = address
    let rest = line.from(position + 1).trimmed
    if rest.byteCount > 0 {
      // Ruby's own symbolizer.
      let source = SourceLocation(rest)
      guard source.hasNumber else { return nil }
      location = source
    }
    var image = line.upTo(open).trimmed
    readNumber(&image)
    if image.byteCount == 0 { return }
    if image.ends(with: ")") {
      guard let bracket = Self.opening(image) else { return nil }
      readSymbol(image.between(bracket + 1, image.byteCount - 1))
      image = image.upTo(bracket).trimmed
    }
    guard image.byteCount > 0, !image.ends(with: ")") else { return nil }
    // D's: `desk.d:12 int desk.take(int) [0x401234]`.
    if let blank = image.find(32),
      SourceLocation(image.upTo(blank)).hasNumber || image.has("??:?")
    {
      return nil
    }
    module = image.name
    if let path = module, path.contains(" "), !path.contains("/") { return nil }
  }

  /// A number before a frame: `3: `, `[ 0] `, `#3 `, `(EE) 3: `.
  private mutating func readNumber(_ image: inout RawSpan) {
    var start = 0
    if image.has("(EE) ") { start = 5 }
    if image.byteOrZero(start) == UInt8(ascii: "[") || image.byteOrZero(start) == UInt8(ascii: "#")
    {
      start += 1
    }
    var position = image.skippingBlanks(from: start)
    guard let number = image.decimal(at: &position) else { return }
    while image.byteOrZero(position).isOne(of: ":]#") { position += 1 }
    guard position == image.byteCount || image.byte(position).isBlank else { return }
    index = number
    image = image.from(position).trimmed
  }

  /// The opening bracket of the one that closes at the end of `text`.
  private static func opening(_ text: RawSpan) -> Int? {
    var depth = 0
    var index = text.byteCount
    while index > 0 {
      index -= 1
      if text.byte(index) == UInt8(ascii: ")") { depth += 1 }
      if text.byte(index) == UInt8(ascii: "(") {
        depth -= 1
        if depth == 0 { return index }
      }
    }
    return nil
  }

  /// `main+0x1f`, `+0x1f`, `main`, or nothing.
  private mutating func readSymbol(_ text: RawSpan) {
    guard let sign = text.findLast("+0x") else {
      setFunction(text)
      return
    }
    var digits = sign + 3
    guard let offset = text.hexadecimalDigits(at: &digits), digits == text.byteCount else {
      setFunction(text)
      return
    }
    if sign == 0 {
      moduleOffset = offset
    } else {
      symbolOffset = offset
      setFunction(text.upTo(sign))
    }
  }

  // MARK: Apple and BSD

  private init?(apple line: RawSpan) {
    self.init(.apple)
    var position = 0
    guard let number = line.decimal(at: &position), line.byteOrZero(position).isBlank,
      let found = line.find(" 0x", from: position)
    else { return nil }
    index = number
    let name = line.between(position, found).trimmed
    position = found + 1
    guard name.byteCount > 0, let address = line.hexadecimal(at: &position), position - found > 9,
      position == line.byteCount || line.byte(position).isBlank
    else { return nil }
    self.address = address
    module = name.name
    var symbol = line.from(position).trimmed
    if let sign = symbol.findLast(" + ") {
      var digits = sign + 3
      if let offset = symbol.decimal(at: &digits), digits == symbol.byteCount {
        symbolOffset = offset
        symbol = symbol.upTo(sign)
      }
    }
    if symbol.has("0x") { symbolOffset = nil } else { setFunction(symbol) }
  }

  // MARK: Windows

  private init?(windows line: RawSpan) {
    self.init(.windows)
    guard let open = line.findLast(" [0x") else { return nil }
    var position = open + 2
    guard let address = line.hexadecimal(at: &position) else { return nil }
    self.address = address
    if line.byteOrZero(position) == UInt8(ascii: "+") {
      position += 1
      symbolOffset = line.decimal(at: &position)
    }
    guard line.byteOrZero(position) == UInt8(ascii: "]") else { return nil }
    let rest = line.from(position + 1).trimmed
    if rest.has("("), rest.ends(with: ")") {
      let source = SourceLocation(rest.between(1, rest.byteCount - 1))
      if source.hasNumber { location = source }
    } else if rest.byteCount > 0 {
      return nil
    }
    let name = line.upTo(open).trimmed
    if !name.has("(No symbol)") { setFunction(name) }
  }

  // MARK: Boost and the standard library

  private init?(stacktrace line: RawSpan) {
    self.init(.stacktrace)
    var position = 0
    guard let number = line.decimal(at: &position), line.has("# ", at: position) else { return nil }
    index = number
    var name = line.from(position + 2).trimmed
    if let at = name.findLast(" at ") ?? (name.has("at ") ? 0 : nil) {
      let start = name.has("at ", at: at) ? at + 3 : at + 4
      let source = SourceLocation(name.from(start).trimmed)
      if source.hasNumber {
        location = source
        name = name.upTo(at).trimmed
      }
    } else if let mark = name.findLast(" in ") {
      let path = name.from(mark + 4).trimmed
      if path.find(32) == nil || path.find(UInt8(ascii: "/")) != nil {
        module = path.name
        name = name.upTo(mark).trimmed
      }
    }
    var digits = 0
    if let address = name.hexadecimal(at: &digits), digits == name.byteCount {
      self.address = address
    } else {
      setFunction(name)
    }
  }

  // MARK: backward-cpp

  private init?(backward line: RawSpan) {
    self.init(.backward)
    var position = 1
    guard let number = line.decimal(at: &position) else { return nil }
    index = number
    let rest = line.from(position).trimmed
    guard rest.has("Object \"") || rest.has("Source \""),
      let end = rest.find("\", ", from: 8), let name = rest.find(", in ", from: end)
    else { return nil }
    let path = rest.between(8, end)
    var cursor = end + 3
    if rest.has("Object") {
      if path.byteCount > 0 { module = path.name }
      guard rest.has("at ", at: cursor) else { return nil }
      cursor += 3
      address = rest.hexadecimal(at: &cursor)
      if address == nil { address = rest.hexadecimalDigits(at: &cursor) }
    } else {
      var source = SourceLocation(file: path.name)
      cursor += 5
      source.line = rest.decimal(at: &cursor).flatMap { Int(exactly: $0) }
      location = source
    }
    var function = rest.from(name + 5).trimmed
    if function.ends(with: "]"), let open = function.findLast(" [0x") {
      var digits = open + 2
      address = function.hexadecimal(at: &digits)
      function = function.upTo(open)
    } else if function.ends(with: "]"), let open = function.findLast(" [") {
      var digits = open + 2
      address = function.hexadecimalDigits(at: &digits)
      function = function.upTo(open)
    }
    setFunction(function)
  }

  // MARK: V8

  /// `0xb27abe4`, `__libc_start_main`: the text after the number of a V8 frame.
  init(v8 text: RawSpan) {
    self.init(.numbered)
    var position = 0
    address = text.hexadecimal(at: &position)
    setFunction(address == nil ? text : text.from(position))
  }

  /// Adds the source location from the line below.
  mutating func setLocation(_ newLocation: SourceLocation) { location = newLocation }

  private mutating func setFunction(_ text: RawSpan) {
    let name = text.trimmed
    guard name.byteCount > 0, !name.has("(unknown)"), !name.has("<unknown>"), !name.has("??"),
      !name.has("(No symbol)")
    else { return }
    function = name.name
  }
}
