internal import Bytes

/// One line of a sanitizer's stack.
///
/// The forms, after `#N `:
///     0x55c339 in inv::use(inv::Item*) /src/a b.cpp:11:75          symbolized
///     0x55c339 in _start (/bin/x+0x5b080) (BuildId: 371e…)          a symbol without a line
///     0x55c339  (/bin/x+0x128339) (BuildId: 371e…)                  not symbolized
///     0x55c339 (/bin/x+0x128339)                                    older, or a custom format
///     inv::bump() /src/a.cpp:19 (x+0x2337)                          ThreadSanitizer, no pc
///     <null> <null> (x+0xfd911) (BuildId: …)                        ThreadSanitizer, not symbolized
///     0x71dc in f(int) ../toy.cc:12 <libc.so>+0xacf4c               Fuchsia
///     0x7ff6 in f C:\src\a.cc:294:25                                Windows
///     0x1043 in f a.swift:3 (app:arm64e+0x1000) (BuildId: …)        Apple, with the slice
///     0x7ff6 in f+0x1c3 (c:\a.exe+0x1402)                           the nearest symbol and the distance
///     0x7fef in f ??:?                                              no location, as by `addr2line`
///
/// Source: `StackTracePrinter` of compiler-rt's sanitizer_common, and the outputs of clang 3 to 21
/// and GCC 12.
struct SanitizerFrame {
  /// The number after `#`, before a dot.
  var index: UInt64 = 0
  /// Whether the index has a part after a dot, which Fuchsia's logs give to inlined calls.
  var isInlinedCall = false
  var address: UInt64?
  var function: String?
  /// Bytes from the start of the function, if the runtime found only the nearest symbol.
  var symbolOffset: UInt64?
  var file: String?
  var line: Int?
  var column: Int?
  var module: Module?

  struct Module: Hashable {
    var path: String
    var architecture: String?
    var buildID: String?
    var offset: UInt64
  }

  /// Reads a line without the blanks around it; `nil` if it is not a frame.
  init?(_ text: RawSpan) {
    guard text.byteOrZero(0) == UInt8(ascii: "#") else { return nil }
    var position = 1
    guard let index = text.decimal(at: &position) else { return nil }
    self.index = index
    if text.byteOrZero(position) == UInt8(ascii: ".") {
      position += 1
      guard text.decimal(at: &position) != nil else { return nil }
      isInlinedCall = true
    }
    guard text.byteOrZero(position).isBlank else { return nil }
    position = text.skippingBlanks(from: position)
    let hasAddress = text.has("0x", at: position)
    if hasAddress {
      address = text.hexadecimal(at: &position)
      // Not a number: the rest of the word is skipped too.
      while position < text.byteCount, !text.byte(position).isBlank {
        position += 1
        address = nil
      }
      position = text.skippingBlanks(from: position)
    }
    var rest = text.from(position).trimmed
    if !hasAddress, Self.isProgress(rest) { return nil }
    if rest.has("in"), rest.byteCount == 2 || rest.byteOrZero(2).isBlank {
      rest = rest.from(2).trimmed
    }
    guard hasAddress || rest.byteCount > 0 else { return nil }
    rest = rest.upTo(readModule(rest)).trimmed
    readFunction(rest)
    guard hasAddress || module != nil || function != nil else { return nil }
  }

  /// Whether `text` is libFuzzer's text after the number of a run: `NEW    cov: 6 ft: 6 corp: 2/2b exec/s: 0
  /// rss: 30Mb`, `READ units: 413`.
  private static func isProgress(_ text: RawSpan) -> Bool {
    text.contains(" exec/s: ") || text.contains(" cov: ") && text.contains(" corp: ")
      || text.has("READ units: ") || text.has("WRITE units: ")
  }

  /// The module that `text` ends with: `(/bin/x+0x1) (BuildId: …)`.
  static func module(of text: RawSpan) -> Module? {
    var frame = SanitizerFrame()
    _ = frame.readModule(text.trimmed)
    return frame.module
  }

  private init() {}

  /// Reads the module at the end of `text` and returns where it begins.
  private mutating func readModule(_ text: RawSpan) -> Int {
    var end = text.byteCount
    var buildID: String?
    if text.byteOrZero(end - 1) == UInt8(ascii: ")"), let open = text.findLast("(BuildId: ") {
      buildID = text.part(open + 10..<end - 1).trimmed.name
      end = text.upTo(open).trimmed.byteCount
    }
    let part = text.upTo(end)
    if part.ends(with: "(<unknown module>)") { return end - 18 }
    guard let plus = part.findLast("+0x") else { return end }
    var digits = plus + 3
    guard let offset = part.hexadecimalDigits(at: &digits) else { return end }
    let isClosed = part.byteOrZero(digits) == UInt8(ascii: ")")
    if isClosed, digits + 1 == end, let open = Self.openingParenthesis(part.upTo(plus)) {
      setModule(part.part(open + 1..<plus), offset: offset, buildID: buildID)
      return open
    }
    // Fuchsia: `<libc.so>+0x1`, `<<application>>+0x1`.
    if digits == end, part.byteOrZero(plus - 1) == UInt8(ascii: ">"),
      let inner = part.findLast(UInt8(ascii: "<"), before: plus)
    {
      let isDouble = inner > 0 && part.byte(inner - 1) == UInt8(ascii: "<")
      let open = isDouble ? inner - 1 : inner
      if open == 0 || part.byte(open - 1) == 32 {
        setModule(part.part(open + 1..<plus - 1), offset: offset, buildID: buildID)
        return open
      }
    }
    return end
  }

  /// The position of the parenthesis left open at the end of `text`. A path may contain pairs of its own.
  private static func openingParenthesis(_ text: RawSpan) -> Int? {
    var depth = 0
    var index = text.byteCount
    while index > 0 {
      index -= 1
      let byte = text.byte(index)
      if byte == UInt8(ascii: ")") { depth += 1 }
      if byte == UInt8(ascii: "(") {
        if depth == 0 { return index }
        depth -= 1
      }
    }
    return nil
  }

  private mutating func setModule(_ text: RawSpan, offset: UInt64, buildID: String?) {
    var path = text
    var architecture: String?
    // `/usr/lib/libc.dylib:arm64e`; the colon of a drive letter is followed by a slash.
    if let colon = text.findLast(UInt8(ascii: ":")), colon > 1 {
      let suffix = text.from(colon + 1)
      if suffix.has("arm") || suffix.has("x86_64") || suffix.has("i386") {
        architecture = suffix.name
        path = text.upTo(colon)
      }
    }
    guard path.byteCount > 0 else { return }
    module = Module(
      path: path.name, architecture: architecture, buildID: buildID, offset: offset)
  }

  /// Reads `FUNCTION LOCATION`, either of which may be missing or `<null>`.
  private mutating func readFunction(_ text: RawSpan) {
    if text.has("<null>") {
      return
    }
    if text.ends(with: " <null>") {
      setFunction(text.upTo(text.byteCount - 7))
      return
    }
    for unknown: StaticString in [" ??:?:?", " ??:?", " ?:?", " ??"] where text.ends(with: unknown)
    {
      setFunction(text.upTo(text.byteCount - unknown.utf8CodeUnitCount))
      return
    }
    // Chromium's own form: `f() [base/a.cc:12:7]`.
    if text.byteOrZero(text.byteCount - 1) == UInt8(ascii: "]"), let open = text.findLast(" [") {
      let source = SourceLocation(text.part(open + 2..<text.byteCount - 1))
      if source.hasNumber {
        setFunction(text.upTo(open))
        set(source)
        return
      }
    }
    if let link = text.find(" http://") ?? text.find(" https://") {
      setFunction(text.upTo(link))
      readLink(text.from(link + 1))
      return
    }
    guard let split = Self.startOfLocation(text) else {
      setFunction(text)
      return
    }
    setFunction(text.upTo(split))
    set(SourceLocation(text.from(split).trimmed))
  }

  /// `http://host/repository/+/revision/row.c#54;boat/row.c;`, which ClusterFuzz writes in place of a location.
  private mutating func readLink(_ text: RawSpan) {
    guard let hash = text.findLast(UInt8(ascii: "#")),
      let end = text.find(UInt8(ascii: ";"), from: hash)
    else { return }
    var index = hash + 1
    line = text.decimal(at: &index).flatMap { Int(exactly: $0) }
    let path = text.between(end + 1, text.find(UInt8(ascii: ";"), from: end + 1) ?? text.byteCount)
    file = path.byteCount > 0 ? path.name : text.upTo(hash).name
  }

  private mutating func set(_ source: SourceLocation) {
    file = source.file
    line = source.line
    column = source.column
  }

  private mutating func setFunction(_ text: RawSpan) {
    var name = text.trimmed
    if let plus = name.findLast("+0x"), plus > 0 {
      var digits = plus + 1
      if let offset = name.hexadecimal(at: &digits), digits == name.byteCount {
        symbolOffset = offset
        name = name.upTo(plus)
      }
    }
    guard name.byteCount > 0, !name.has("<unknown>"), !name.has("??") else {
      symbolOffset = nil
      return
    }
    function = name.name
  }

  /// The start of the source location in `FUNCTION LOCATION`. Both may hold blanks: a function in its
  /// parameters, a path anywhere.
  private static func startOfLocation(_ text: RawSpan) -> Int? {
    // An absolute path: no name has a blank before a slash or before a drive letter.
    var from = 0
    while let blank = text.find(32, from: from) {
      let next = text.byteOrZero(blank + 1)
      if next == UInt8(ascii: "/") { return blank }
      if next.isLetter, text.byteOrZero(blank + 2) == UInt8(ascii: ":"),
        [UInt8(ascii: "\\"), UInt8(ascii: "/")].contains(text.byteOrZero(blank + 3))
      {
        return blank
      }
      from = blank + 1
    }
    guard let blank = text.findLast(32) else { return nil }
    let word = text.from(blank + 1)
    if !SourceLocation(word).hasNumber {
      // Without a line, only text that must be a file; a result such as `-> Swift.Never` can be more.
      let isName =
        word.find(UInt8(ascii: "(")) != nil || word.find(UInt8(ascii: ")")) != nil
        || word.find(UInt8(ascii: "<")) != nil || word.find(UInt8(ascii: ">")) != nil
        || word.find(UInt8(ascii: ":")) != nil || word.find(UInt8(ascii: "*")) != nil
        || word.find(UInt8(ascii: "]")) != nil || text.upTo(blank).ends(with: "->")
      guard !isName, word.byteCount > 1 else { return nil }
      let isPath =
        word.find(UInt8(ascii: "/")) != nil || word.has("_asan_rtl_") || hasSourceExtension(word)
      return isPath ? blank : nil
    }
    // `main My Project/a.c:3:4`: a plain name before a path with blanks ends at the first.
    if let first = text.find(32), first < blank {
      let name = text.upTo(blank)
      let isPlain =
        word.find(UInt8(ascii: "/")) != nil && !hasWordsOfNames(text.upTo(first))
        && name.find(UInt8(ascii: "(")) == nil && name.find(UInt8(ascii: "<")) == nil
        && name.find(UInt8(ascii: "`")) == nil && !text.from(first + 1).upTo(blank).contains("::")
      if isPlain { return first }
    }
    return blank
  }

  /// Whether a name that begins with `word` continues after it: operators, methods of Objective-C, and
  /// phrases of demanglers.
  private static func hasWordsOfNames(_ word: RawSpan) -> Bool {
    if word.contains("operator") || word.has("-[") || word.has("+[") || word.has("@") {
      return true
    }
    for first: StaticString in [
      "non-virtual", "virtual", "covariant", "vtable", "VTT", "typeinfo", "guard", "reference",
      "construction", "TLS", "hidden", "invocation", "static", "closure", "implicit", "partial",
      "specialized", "generic", "function", "protocol", "merged", "outlined", "thunk", "type",
      "initializer", "default", "property", "variable", "lazy", "global", "reabstraction",
      "unsigned",
      "signed", "const", "void", "bool", "char", "int", "long", "short", "float", "double", "auto",
      "[thunk]:", "public:", "private:", "protected:", "destructor", "constructor", "method",
    ] where word.has(first) && word.byteCount == first.utf8CodeUnitCount {
      return true
    }
    return false
  }

  private static func hasSourceExtension(_ word: RawSpan) -> Bool {
    for ending: StaticString in [
      ".c", ".cc", ".cpp", ".cxx", ".c++", ".h", ".hh", ".hpp", ".hxx", ".inc", ".inl", ".m", ".mm",
      ".S", ".s", ".asm", ".rs", ".go", ".swift", ".cu", ".f", ".f90", ".d", ".pas", ".zig", ".nim",
    ] where word.ends(with: ending) && word.byteCount > ending.utf8CodeUnitCount {
      return true
    }
    return false
  }
}
