internal import Bytes

extension Headline.Kind {
  /// A line that describes the failure: `[…:FATAL:a.cc(12)] Check failed: x`.
  static let nativeMessage = Headline.Kind("native message")
  /// A line that names a signal: `*** SIGSEGV received at time=1665082632 ***`.
  static let nativeSignal = Headline.Kind("native signal")
  /// The first line of a stack, or the one above it.
  static let nativeStack = Headline.Kind("native stack")
  /// `========= Per-input timeout exceeded: 6 > 5 (sec); exiting`
  static let fuzzerLimit = Headline.Kind("fuzzer limit")
}

extension NativeLogReader {
  static let headlines =
    AppleExceptionLog.headlines + messages
    + [
      HeadlineRule(.nativeSignal, " received at time=") { text, mark, lines in
        stars(text, mark, &lines)
      },
      HeadlineRule(.nativeSignal, "*** Aborted at "),
      HeadlineRule(.nativeSignal, " received by PID ") { text, mark, lines in
        stars(text, mark, &lines)
      },
      HeadlineRule(.nativeSignal, "Received signal ", locate: announced),
      HeadlineRule(.nativeSignal, "Caught signal ", locate: announced),
      HeadlineRule(.nativeSignal, "Signal: ") { text, mark, lines in
        text.between(lines.start(of: mark, in: text), mark).contains("] ")
          ? announced(text, mark, &lines) : nil
      },
      HeadlineRule(.nativeStack, "*** Check failure stack trace: ***", role: .lastWords),
      HeadlineRule(.nativeStack, "Register dump:"),
      HeadlineRule(.nativeStack, "Stack dump:") { text, mark, _ in
        let next = text.part(lineAfter(mark, in: text)).trimmed
        return next.has("0.\t") || next.has("0. ")
          ? Headline.Location(start: mark, content: mark) : nil
      },
      HeadlineRule(.nativeStack, "Stack trace (most recent call ", locate: announced),
      HeadlineRule(.nativeStack, "[0x", locate: firstFrame),
      HeadlineRule(.nativeStack, "0# ", locate: firstFrame),
      HeadlineRule(.fuzzerLimit, "; exiting", role: .continues) { text, mark, lines in
        let start = max(lines.start(of: mark, in: text), mark - 256)
        let line = text.between(start, mark)
        guard let found = line.find("========= "), line.contains("xceeded") else { return nil }
        return Headline.Location(start: start + found, content: start + found + 10)
      },
    ]

  private static let messages =
    [
      HeadlineRule(.nativeMessage, ":FATAL:", role: .lastWords, locate: chromium),
      HeadlineRule(.nativeMessage, "[FATAL:", role: .lastWords) { text, mark, lines in
        let end = min(text.find(10, from: mark) ?? text.byteCount, mark + 512)
        guard let close = text.between(mark, end).find("] "),
          NativeMessage.sourceLocation(text.between(mark + 7, mark + close)) != nil
        else { return nil }
        return own(text, mark, &lines)
      },
      HeadlineRule(.nativeMessage, "] Check failed: ", role: .lastWords, locate: logged),
      HeadlineRule(
        .nativeMessage, "GPU process exited unexpectedly: exit_code=", role: .lastWords
      ) { text, mark, lines in
        let line = lines.start(of: mark, in: text)
        guard mark - line < 256, text.has("] ", at: mark - 2),
          let open = text.between(line, mark).find(UInt8(ascii: "["))
        else { return nil }
        return Headline.Location(start: line + open, content: line + open)
      },
      HeadlineRule(.nativeMessage, "# Fatal ", role: .lastWords, locate: v8),
      HeadlineRule(.nativeMessage, ": fatal error: \"", role: .lastWords, after: .digit) {
        text, mark, lines in locateBefore(text, mark, &lines)
      },
      HeadlineRule(.nativeMessage, "Assertion `", role: .lastWords, locate: whole),
      HeadlineRule(.nativeMessage, "Assertion failed: ", role: .lastWords, locate: whole),
      HeadlineRule(.nativeMessage, "terminate called ", role: .lastWords, locate: whole),
      HeadlineRule(
        .nativeMessage, "terminating due to uncaught exception", role: .lastWords, locate: whole),
      HeadlineRule(
        .nativeMessage, "terminating with uncaught exception", role: .lastWords, locate: whole),
      HeadlineRule(.nativeMessage, ": error while loading shared libraries: ", locate: whole),
    ]
    + [" CHECK(", " CHECK_"].map { check in
      HeadlineRule(.nativeMessage, check, role: .lastWords, after: .digit) { text, mark, lines in
        locateBefore(text, mark, &lines)
      }
    }
    + libraryWords.map { words in
      HeadlineRule(.nativeMessage, words, role: .lastWords) { text, mark, lines in
        library(text, mark, &lines)
      }
    }

  /// Messages that glibc prints before it aborts.
  ///
  /// Source: `malloc_printerr`, `__fortify_fail` and `__libc_message` of glibc.
  private static let libraryWords: [StaticString] = [
    "*** Error in `", "*** glibc detected *** ", "*** stack smashing detected ***",
    "*** buffer overflow detected ***", "*** %n in writable segment detected ***",
    "*** invalid %N$ use detected ***", "*** bit out of range 0 - FD_SETSIZE on fd_set ***",
    "*** longjmp causes uninitialized stack frame ***", "*** invalid open",
    "double free or corruption (", "corrupted size vs. prev_size", "corrupted double-linked list",
    "free(): ", "malloc(): ", "realloc(): ", "calloc(): ", "munmap_chunk(): ",
    "malloc_consolidate(): ", "mremap_chunk(): ", "tcache_thread_shutdown(): ",
    "invalid fastbin entry (free)", "Fatal glibc error: ",
    "sysmalloc: Assertion",
  ]

  // MARK: Locations

  private static func lineAfter(_ mark: Int, in text: RawSpan) -> Range<Int> {
    guard let end = text.find(10, from: mark) else { return text.byteCount..<text.byteCount }
    let next = text.find(10, from: end + 1) ?? text.byteCount
    return (end + 1)..<min(next, end + 1 + FormatLimits.nameBytes)
  }

  /// A mark at the start of the message, after at most a logger's prefix.
  private static func own(
    _ text: RawSpan, _ mark: Int, _ lines: inout LineStarts
  ) -> Headline.Location? {
    let start = lines.start(of: mark, in: text)
    guard mark - start <= FormatLimits.prefixBytes, !QuotedWords.follow(text.between(start, mark))
    else {
      return nil
    }
    return Headline.Location(start: mark, content: mark)
  }

  /// A line of which a part before the mark belongs to the message: it begins where a logger's prefix ends.
  private static let whole: HeadlineRule.Locate = { text, mark, lines in
    let start = lines.start(of: mark, in: text)
    guard mark - start <= 1024, !QuotedWords.follow(text.between(start, mark)) else { return nil }
    let end = text.find(10, from: mark) ?? text.byteCount
    let line = text.between(start, min(end, mark + FormatLimits.nameBytes))
    var from = line.skippingBlanks(from: 0)
    let head = text.between(start, mark)
    for separator: StaticString in ["| ", "] ", "> ", "]: ", "\t"] {
      if let found = head.findLast(separator) {
        from = max(from, line.skippingBlanks(from: found + separator.utf8CodeUnitCount))
      }
    }
    guard NativeMessage(line.from(from).trimmed) != nil else { return nil }
    return Headline.Location(start: start + from, content: mark)
  }

  /// `[12:34:0412/075451.163515:FATAL:zygote.cc(57)] `: numbers before the word, a location after it.
  private static let chromium: HeadlineRule.Locate = { text, mark, lines in
    let end = min(text.find(10, from: mark) ?? text.byteCount, mark + 512)
    guard let close = text.between(mark, end).find("] "),
      NativeMessage.sourceLocation(text.between(mark + 7, mark + close)) != nil
    else { return nil }
    var start = mark
    while start > 0, mark - start < 64, text.byte(start - 1) != UInt8(ascii: "[") {
      let byte = text.byte(start - 1)
      guard byte.isDigit || byte.isOne(of: ":/.") else { return nil }
      start -= 1
    }
    guard start > 0, text.byte(start - 1) == UInt8(ascii: "[") else { return nil }
    return own(text, start - 1, &lines)
  }

  /// `F0102 12:34:56.789012    42 till.cc:12] Check failed: `, `[till.cc(12)] Check failed: `.
  private static let logged: HeadlineRule.Locate = { text, mark, lines in
    let line = max(lines.start(of: mark, in: text), mark - 512)
    let head = text.between(line, mark)
    let word = head.from((head.findLast(32) ?? -1) + 1)
    let bracket = word.findLast(UInt8(ascii: "["))
    // spdlog's level in place of the location: `[2025-06-14 21:03:11.123] [critical] Check failed: `.
    if let bracket, isDeadly(word.from(bracket + 1)) {
      return own(text, mark - word.byteCount + bracket, &lines)
    }
    guard NativeMessage.sourceLocation(word.from(bracket.map { $0 + 1 } ?? 0)) != nil else {
      return nil
    }
    if let bracket {
      return own(text, mark - word.byteCount + bracket, &lines)
    }
    // The letter is the severity.
    var position = head.byteCount
    var words = 0
    while words < 5, let blank = head.findLast(32, before: position) {
      if head.byteOrZero(blank + 1) == UInt8(ascii: "F"), head.byteOrZero(blank + 2).isDigit {
        return own(text, line + blank + 1, &lines)
      }
      if blank + 1 < position { words += 1 }
      position = blank
    }
    guard head.has("F"), head.byteOrZero(1).isDigit || !head.byteOrZero(1).isLetter else {
      // Android's log without a date: only the location.
      return position == head.byteCount ? own(text, line, &lines) : nil
    }
    return own(text, line, &lines)
  }

  private static func isDeadly(_ level: RawSpan) -> Bool {
    for word: StaticString in ["critical", "fatal", "C", "F", "FATAL", "CRITICAL"]
    where level.has(word) && level.byteCount == word.utf8CodeUnitCount {
      return true
    }
    return false
  }

  /// `# Fatal error in heap.h, line 54`; if Node's stack follows, it is Node's.
  private static let v8: HeadlineRule.Locate = { text, mark, lines in
    guard
      text.has("error in", at: mark + 8) || text.has("process ", at: mark + 8)
        || text.has("JavaScript ", at: mark + 8) || isBare(text, v8: mark)
    else { return nil }
    if isOfNode(text, mark) { return nil }
    return own(text, mark, &lines)
  }

  /// `# Fatal error` alone in its line, above one with the message.
  private static func isBare(_ text: RawSpan, v8 mark: Int) -> Bool {
    guard text.has("error", at: mark + 8), let end = text.find(10, from: mark), end < mark + 16
    else { return false }
    return text.part(lineAfter(mark, in: text)).contains("# ")
  }

  private static func isOfNode(_ text: RawSpan, _ mark: Int) -> Bool {
    var cursor = LineCursor(mark..<min(text.byteCount, mark + 4096))
    for _ in 0..<14 {
      guard let range = cursor.next(in: text) else { return false }
      let line = text.part(range)
      if line.contains("==== C stack trace") { return false }
      if line.contains("Native stack trace") || line.contains(" 1: 0x")
        || line.contains(" 1: 0000")
      {
        return true
      }
    }
    return false
  }

  /// `till.cpp:3301 CHECK(…`, `src/SkMutex.cpp:41: fatal error: "`: the location is the word before.
  private static func locateBefore(
    _ text: RawSpan, _ mark: Int, _ lines: inout LineStarts
  ) -> Headline.Location? {
    let line = max(lines.start(of: mark, in: text), mark - 512)
    let head = text.between(line, mark)
    let word = (head.findLast(32) ?? -1) + 1
    guard SourceLocation(head.from(word)).hasNumber, !QuotedWords.follow(head) else { return nil }
    let end = min(text.find(10, from: mark) ?? text.byteCount, mark + FormatLimits.nameBytes)
    guard NativeMessage(text.between(line + word, end)) != nil else { return nil }
    return Headline.Location(start: line + word, content: mark)
  }

  /// glibc's message is alone in its line.
  private static func library(
    _ text: RawSpan, _ mark: Int, _ lines: inout LineStarts
  ) -> Headline.Location? {
    let end = text.find(10, from: mark) ?? text.byteCount
    guard end - mark < 512 else { return nil }
    let line = text.between(mark, end).trimmed
    if line.has("*** invalid open"), !line.contains(" call: ") { return nil }
    if line.byteOrZero(0) != UInt8(ascii: "*") {
      let known = [
        "corrupt", "invalid", "double free", "unaligned", "mismatching", "unsorted", "smallbin",
        "too many", "double linked", "prev_size", "Assertion", "glibc",
      ]
      let words = line.name
      guard known.contains(where: { words.contains($0) }) else { return nil }
      // A name before it means another function.
      let before = text.byteOrZero(mark - 1)
      guard mark == 0 || before == 10 || before.isBlank else { return nil }
    }
    return own(text, mark, &lines)
  }

  /// `*** SIGSEGV received at …`: the line begins with the stars.
  private static func stars(
    _ text: RawSpan, _ mark: Int, _ lines: inout LineStarts
  ) -> Headline.Location? {
    let start = max(lines.start(of: mark, in: text), mark - 256)
    guard let found = text.between(start, mark).findLast("*** ") else { return nil }
    let words = text.between(start + found + 4, mark)
    guard words.has("SIG") || words.has("Signal ") else { return nil }
    return own(text, start + found, &lines)
  }

  /// Text that other programs print too: a stack must follow.
  private static let announced: HeadlineRule.Locate = { text, mark, lines in
    guard let location = own(text, mark, &lines) else { return nil }
    var cursor = LineCursor(
      (text.find(10, from: mark) ?? text.byteCount)..<min(text.byteCount, mark + 2048))
    for _ in 0..<8 {
      guard let range = cursor.next(in: text) else { return nil }
      var line = text.part(range).trimmed
      // After a logger's prefix.
      let width = location.start - lines.start(of: mark, in: text)
      if width > 0, line.byteCount > width { line = line.from(width).trimmed }
      if line.contains("==== C stack trace") || NativeFrameLine(line) != nil
        || NativeFrameLine(lookedUp: line) != nil
      {
        return location
      }
    }
    return nil
  }

  /// The first of two or more frames of a stack without a heading.
  private static let firstFrame: HeadlineRule.Locate = { text, mark, lines in
    let end = text.find(10, from: mark) ?? text.byteCount
    guard end - mark < 1024, text.has("0# ", at: mark) || end - mark < 256 else { return nil }
    if text.has("[0x", at: mark), !followsImage(text, mark) { return nil }
    let start = lines.start(of: mark, in: text)
    guard mark - start < 4096, let first = frameStart(text.between(start, end)) else { return nil }
    let next = text.part(lineAfter(mark, in: text))
    guard frameStart(next) != nil else { return nil }
    let before = text.between(start - 4096, start - 1)
    let previous = before.from((before.findLast(10) ?? -1) + 1)
    guard frameStart(previous) == nil, !isOfRuntime(before) else { return nil }
    return Headline.Location(start: start + first, content: start + first)
  }

  /// Whether an address follows an image, `./tern[0x401234]`, or a bracket. After a blank, it belongs to
  /// another list: `tid=1 [0x7f00]`.
  private static func followsImage(_ text: RawSpan, _ mark: Int) -> Bool {
    guard mark > 1 else { return false }
    let last = text.byte(mark - 1)
    return last == UInt8(ascii: " ") ? text.byte(mark - 2) == UInt8(ascii: ")") : last > 32
  }

  /// The start of a frame in a line, after a logger's prefix.
  private static func frameStart(_ line: RawSpan) -> Int? {
    let blanks = line.skippingBlanks(from: 0)
    let own = line.from(blanks).trimmed
    if isBare(own) { return blanks }
    for separator: StaticString in ["] ", ": ", "| "] {
      guard let found = line.findLast(separator) else { continue }
      let start = line.skippingBlanks(from: found + separator.utf8CodeUnitCount)
      if isBare(line.from(start).trimmed) { return start }
    }
    return nil
  }

  private static func isBare(_ line: RawSpan) -> Bool {
    guard let frame = NativeFrameLine(line) else { return false }
    switch frame.form {
    case .symbols: return true
    case .stacktrace: return frame.function != nil || frame.address != nil
    default: return false
    }
  }

  /// Whether the heading of another runtime's stack is shortly before.
  private static func isOfRuntime(_ before: RawSpan) -> Bool {
    let near = before.from(before.byteCount - 1024)
    for heading: StaticString in [
      "Native stacktrace:", "C level backtrace", "Native Crash Reporting", "C stack trace (most",
      "Native frames:", "Current thread's C stack", "\n----------------\n",
    ] where near.contains(heading) {
      return true
    }
    return false
  }
}
