internal import Bytes
internal import CrashModel

/// A program's one-line message about its end, before a stack or alone.
///     [1:1:0412/075451.16:FATAL:zygote.cc(57)] Check failed: a > b (1 vs. 2)        Chromium; `zygote.cc:57]`
///     F0102 12:34:56.789012 42 till.cc:12] Check failed: a > b (1 vs. 2)            glog, abseil
///     till.cpp:3301 CHECK_EQ( a,1u) failed: 25 vs. 1                                Android
///     src/SkMutex.cpp:41: fatal error: "assert(x)"                                  Skia
///     tern: till.c:5: main: Assertion `x > 0' failed.                               glibc; Apple's and musl's too
///     terminate called after throwing an instance of 'std::range_error'             libstdc++, libc++
///     *** Error in `./tern': double free or corruption (out): 0x0123 ***            glibc
///     ./tern: error while loading shared libraries: libtern.so.1: cannot open …     the dynamic linker
struct NativeMessage {
  private(set) var type: String
  private(set) var text: String?
  private(set) var exception: LanguageException?
  private(set) var location: SourceLocation?
  private(set) var program: String?
  private(set) var pid: Int?
  private(set) var thread: UInt64?
  private(set) var code: String?
  private(set) var kind = ReportKind.crash

  /// Chromium's message when the GPU process died.
  static let gpuProcess = "GPU process exited unexpectedly"

  private init(_ type: String) { self.type = type }

  /// - Parameter line: The line from the headline's start.
  init?(_ line: RawSpan) {
    if let bracket = line.find("] "), let message = Self(logged: line, bracket: bracket) {
      self = message
    } else if line.has("# Fatal ") {
      self.init(v8: line)
    } else if let at = line.find(" CHECK") {
      self.init(android: line, at: at)
    } else if let at = line.find(": fatal error: \"") {
      self.init("fatal error")
      location = SourceLocation(line.upTo(at))
      text = Self.unquoted(line.from(at + 15))
    } else if line.contains("Assertion ") {
      self.init(assertion: line)
    } else if line.contains("terminate called ") || line.contains("terminating ") {
      self.init(terminate: line)
    } else if let at = line.find(": error while loading shared libraries: ") {
      self.init("error while loading shared libraries")
      program = line.upTo(at).name
      text = line.from(at + 40).name
    } else {
      self.init(library: line)
    }
  }

  private static func unquoted(_ text: RawSpan) -> String {
    var text = text.trimmed
    if text.ends(with: "\"") { text = text.upTo(text.byteCount - 1) }
    return text.has("\"") ? text.from(1).name : text.name
  }

  // MARK: Loggers

  private init?(logged line: RawSpan, bracket: Int) {
    let head = line.upTo(bracket)
    let words = line.from(bracket + 2).trimmed
    if words.has("GPU process exited unexpectedly: exit_code=") {
      self.init(Self.gpuProcess)
      code = words.from(words.find("exit_code=") ?? 0).name
    } else if let failed = words.find(" failed: "), Self.checks.contains(words.upTo(failed).name) {
      self.init(words.upTo(failed + 7).name)
      text = words.from(failed + 9).trimmed.name
    } else {
      self.init("FATAL")
      if words.byteCount > 0 { text = words.name }
    }
    readHead(head)
    // A failed check that is only reported does not end the program.
    if head.contains(":ERROR:") || head.contains(":WARNING:") {
      if code == nil { kind = .handled }
    }
  }

  private static let checks: Set<String> = [
    "Check", "DCHECK", "CHECK", "Debug check", "Security DCHECK", "Security CHECK", "NOTREACHED",
  ]

  /// `[12:34:0412/075451.163515:FATAL:zygote.cc(57)`, `F0102 12:34:56.789012    42 till.cc:12`.
  private mutating func readHead(_ head: RawSpan) {
    if head.has("[") {
      var position = 1
      if let pid = head.decimal(at: &position), head.has(":", at: position) {
        self.pid = Int(exactly: pid)
        position += 1
        thread = head.decimal(at: &position)
      }
      let start = (head.findLast("FATAL:") ?? head.findLast("ERROR:")).map { $0 + 6 } ?? 1
      location = Self.sourceLocation(head.from(start))
      return
    }
    let words = head.name.split(separator: " ")
    // The number before the file is the thread's.
    if words.count >= 4 { thread = UInt64(words[words.count - 2]) }
    if let blank = head.findLast(32) { location = Self.sourceLocation(head.from(blank + 1)) }
  }

  /// `zygote.cc(57)`, `zygote.cc:57`.
  static func sourceLocation(_ text: RawSpan) -> SourceLocation? {
    if text.ends(with: ")"), let open = text.findLast(UInt8(ascii: "(")), open > 0 {
      var digits = open + 1
      guard let line = text.decimal(at: &digits), digits == text.byteCount - 1 else { return nil }
      var result = SourceLocation(file: text.upTo(open).name)
      result.line = line > 0 ? Int(exactly: line) : nil
      return result
    }
    let result = SourceLocation(text)
    return result.hasNumber && result.file != nil ? result : nil
  }

  /// `# Fatal error in ../../src/heap.h, line 54`; the message follows in the next line.
  private init?(v8 line: RawSpan) {
    let words = line.from(2).trimmed
    self.init("Fatal error")
    // The message follows in the next line.
    guard words.byteCount > 11 else { return }
    guard words.has("Fatal error in") else {
      if words.byteCount == 11, words.has("Fatal error") { return }
      text = words.name
      if words.contains("out of memory") { kind = .oom }
      return
    }
    let rest = words.from(14).trimmed
    if let comma = rest.find(", line "), comma > 0 {
      var digits = comma + 7
      var source = SourceLocation(file: rest.upTo(comma).name)
      source.line = rest.decimal(at: &digits).flatMap { Int(exactly: $0) }
      location = source
    } else if rest.byteCount > 0, !rest.has(", line") {
      // The function that failed, or the allocation: `CALL_AND_RETRY_LAST`.
      code = rest.name
    }
  }

  /// Takes the line after V8's headline.
  mutating func addV8(_ words: RawSpan) {
    guard text == nil, words.byteCount > 0 else { return }
    if let failed = words.find(" failed: "), Self.checks.contains(words.upTo(failed).name) {
      type = words.upTo(failed + 7).name
      text = words.from(failed + 9).trimmed.name
    } else {
      text = words.name
    }
    if words.contains("out of memory") || words.contains("Allocation failed") { kind = .oom }
  }

  private init?(android line: RawSpan, at: Int) {
    let source = SourceLocation(line.upTo(at))
    guard source.hasNumber, source.file != nil, let failed = line.find(") failed", from: at) else {
      return nil
    }
    self.init("CHECK failed")
    location = source
    let values = line.from(failed + 8).trimmed
    text = line.between(at + 1, failed + 1).name + (values.has(":") ? values.name : "")
  }

  // MARK: C and C++

  /// `till.c:5`, or `till.cc:5:void tern::Till::open()` as Node prints it.
  private static func location(_ text: RawSpan) -> SourceLocation {
    if let colon = text.find(UInt8(ascii: ":")) {
      var end = colon + 1
      if text.decimal(at: &end) != nil, text.has(":", at: end), text.byteOrZero(end + 1).isLetter {
        return SourceLocation(text.upTo(end))
      }
    }
    return SourceLocation(text)
  }

  private init?(assertion line: RawSpan) {
    self.init("Assertion failed")
    if let open = line.find("Assertion `"), let close = line.findLast("' failed") {
      text = line.between(open + 11, close).name
      // `tern: till.c:5: main: `, of which the function may hold colons.
      let head = line.upTo(open)
      var position = 0
      while let colon = head.find(": ", from: position) {
        let source = Self.location(head.between(position, colon))
        if source.hasNumber, source.file != nil {
          location = source
          if position > 2 { program = head.upTo(position - 2).trimmed.name }
          break
        }
        position = colon + 2
      }
      return
    }
    guard let open = line.find("Assertion failed: ") else { return nil }
    let words = line.from(open + 18).trimmed
    if let function = words.find(", function "), let file = words.find(", file ", from: function) {
      // Apple's and BSD's: `(x), function f, file a.c, line 5.`
      text = words.upTo(function).name
      let rest = words.from(file + 7)
      let end = rest.find(", line ") ?? rest.byteCount
      var source = SourceLocation(file: rest.upTo(end).name)
      source.line = rest.number(after: ", line ").flatMap { Int(exactly: $0) }
      location = source
    } else if let file = words.findLast(", file "), let number = words.findLast(", line "),
      number > file
    {
      // Microsoft's: `x > 0, file C:\till\till.c, line 5`.
      text = words.upTo(file).name
      var digits = number + 7
      var source = SourceLocation(file: words.between(file + 7, number).name)
      source.line = words.decimal(at: &digits).flatMap { Int(exactly: $0) }
      location = source
    } else if words.ends(with: ")"), let bracket = words.findLast(" (") {
      // musl's: `x > 0 (till.c: main: 5)`.
      let parts = words.between(bracket + 2, words.byteCount - 1).name.split(separator: ": ")
      guard parts.count == 3, let number = Int(parts[2]) else { return nil }
      text = words.upTo(bracket).name
      var source = SourceLocation(file: String(parts[0]))
      source.line = number
      location = source
    } else {
      return nil
    }
  }

  private init?(terminate line: RawSpan) {
    self.init("terminate")
    if let quote = line.find("an instance of '"), let end = line.findLast(UInt8(ascii: "'")),
      end > quote + 16
    {
      exception = LanguageException(type: line.between(quote + 16, end).name)
      return
    }
    if let mark = line.find(" of type ") {
      let rest = line.from(mark + 9)
      let colon = Self.endOfType(rest)
      exception = LanguageException(
        type: rest.upTo(colon ?? rest.byteCount).trimmed.name,
        message: colon.map { rest.from($0 + 2).trimmed.name })
      return
    }
    let start = line.find("terminat") ?? 0
    text = line.from(start).name
  }

  /// The end of the type before a message: a colon and a blank that are not part of the name.
  private static func endOfType(_ text: RawSpan) -> Int? { text.find(": ") }

  /// Takes the line after `terminate called`: `  what():  TEXT`.
  mutating func addWhat(_ line: RawSpan) { exception?.message = line.from(7).trimmed.name }

  /// A message of glibc's allocator and guards.
  private init?(library line: RawSpan) {
    self.init("abort")
    let words = line.trimmed
    if let open = words.find("*** Error in `"), let close = words.find("': ", from: open) {
      program = words.between(open + 14, close).name
      text = Self.withoutAddress(words.from(close + 3))
    } else if let mark = words.find("*** glibc detected *** ") {
      let rest = words.from(mark + 23)
      if let colon = rest.find(": ") { program = rest.upTo(colon).name }
      text = Self.withoutAddress(rest.from(rest.find(": ").map { $0 + 2 } ?? 0))
    } else if let start = words.find("*** "), let mark = words.find(" ***", from: start + 4) {
      let end = mark + 4
      text = words.between(start, end).name
      let rest = words.from(end + 1).trimmed
      if rest.ends(with: " terminated"), !rest.has("<unknown>"), !rest.has("terminated") {
        program = rest.upTo(rest.byteCount - 11).name
      }
    } else {
      text = words.name
    }
  }

  /// `double free or corruption (out): 0x00000000012 ***` without the address.
  private static func withoutAddress(_ text: RawSpan) -> String {
    var text = text.trimmed
    if text.ends(with: " ***") { text = text.upTo(text.byteCount - 4) }
    if let colon = text.findLast(": 0x") { text = text.upTo(colon) }
    return text.name
  }
}
