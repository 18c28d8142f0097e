internal import Bytes
internal import Identifiers

/// The first line of a sanitizer's report.
struct SanitizerHeadline {
  var sanitizer: String
  var pid: Int?
  /// The runtime's name for the kind of error.
  var type: String?
  var signal: String?
  var address: Address?
  /// The line's text besides addresses and registers; `nil` when there is none.
  var message: String?
  /// The program counter at the time of a signal.
  var counter: UInt64?
  /// Whether a signal ended the program, so that the youngest frame is the instruction itself, not a call.
  var isFault = false
  /// `T` and a number.
  var thread: UInt64?

  /// Whether the program ended itself, so that its earlier output gives the reason.
  var endedItself: Bool {
    ["SIGABRT", "SIGTRAP", "SIGILL"].contains(signal)
      || ["deadly signal", "fuzz target exited", "breakpoint", "illegal-instruction"].contains(type)
  }

  init(sanitizer: String) { self.sanitizer = sanitizer }

  /// Reads `AddressSanitizer: heap-use-after-free on address 0x1 at pc 0x2 bp 0x3 sp 0x4` and similar lines;
  /// `line` is the whole line from `==PID==` on, `name` where the sanitizer's name begins.
  init?(_ line: RawSpan, name: Int) {
    var end = name
    while end < line.byteCount, line.byte(end).isLetter { end += 1 }
    guard end > name, end < line.byteCount else { return nil }
    sanitizer = line.part(name..<end).name
    var position = 2
    if line.has("=="), let pid = line.decimal(at: &position) { self.pid = Int(exactly: pid) }
    let rest = line.from(end + 1).trimmed
    if let pid = rest.number(after: "(pid=") { self.pid = Int(exactly: pid) }
    readType(rest)
    readAddress(rest)
    thread = Self.thread(in: rest)
    counter = rest.number(after: "(pc ")
    isFault = counter != nil || signal != nil || type == "stack-overflow"
  }

  /// The sanitizer that `word` ends with. A program's last output may precede it.
  static func sanitizer(endOf word: RawSpan) -> String {
    let names: [StaticString] = [
      "HWAddressSanitizer", "AddressSanitizer", "ThreadSanitizer", "MemorySanitizer",
      "LeakSanitizer", "UndefinedBehaviorSanitizer",
    ]
    return names.first { word.ends(with: $0) }?.description ?? word.name
  }

  /// The first `T` and number that form a word.
  static func thread(in text: RawSpan) -> UInt64? {
    var from = 0
    while let found = text.find(UInt8(ascii: "T"), from: from) {
      let before = text.byteOrZero(found - 1)
      var position = found + 1
      if before == 32 || before == 0, let number = text.decimal(at: &position),
        !text.byteOrZero(position).isLetter
      {
        return number
      }
      from = found + 1
    }
    return nil
  }

  /// The texts of the runtimes for which their summary has a name.
  ///
  /// Source: `asan_errors.h` and `sanitizer_allocator_report.cpp` of compiler-rt.
  private static let names: [(words: StaticString, type: String)] = [
    ("attempting double-free", "double-free"),
    ("attempting free on address", "bad-free"),
    ("attempting to call malloc_usable_size", "bad-malloc_usable_size"),
    ("attempting to call __sanitizer_get_allocated_size", "bad-__sanitizer_get_allocated_size"),
    ("requested allocation size", "allocation-size-too-big"),
    ("allocator is out of memory", "out-of-memory"),
    ("out of memory", "out-of-memory"),
    ("calloc parameters overflow", "calloc-overflow"),
    ("reallocarray parameters overflow", "reallocarray-overflow"),
    ("pvalloc parameters overflow", "pvalloc-overflow"),
    ("invalid allocation alignment", "invalid-allocation-alignment"),
    ("invalid alignment requested in aligned_alloc", "invalid-aligned-alloc-alignment"),
    ("invalid alignment requested in posix_memalign", "invalid-posix-memalign-alignment"),
    ("specified RSS limit exceeded", "rss-limit-exceeded"),
    ("hard rss limit exhausted", "rss-limit-exceeded"),
  ]

  /// The text by which a runtime names a signal that it caught.
  private static let signals: [(word: StaticString, signal: String)] = [
    ("SEGV", "SIGSEGV"), ("ABRT", "SIGABRT"), ("FPE", "SIGFPE"), ("ILL", "SIGILL"),
    ("BUS", "SIGBUS"), ("TRAP", "SIGTRAP"),
  ]

  private mutating func readType(_ text: RawSpan) {
    for (words, type) in Self.names where text.has(words) {
      self.type = type
      message = text.name
      return
    }
    for (word, signal) in Self.signals where text.has(word) {
      let next = text.byteOrZero(word.utf8CodeUnitCount)
      if next == 32 || next == 0 {
        type = word.description
        self.signal = signal
        return
      }
    }
    // The kind ends at its details.
    var end = text.byteCount
    let ends: [StaticString] =
      sanitizer == "ThreadSanitizer"
      ? [" (", " on unknown address"] : [" on ", ": ", " (", "; ", " in thread ", " after "]
    for stop in ends {
      if let found = text.find(stop) { end = min(end, found) }
    }
    var kind = text.upTo(end).trimmed
    while kind.byteOrZero(kind.byteCount - 1) == UInt8(ascii: ":") {
      kind = kind.upTo(kind.byteCount - 1)
    }
    if kind.byteCount > 0 { type = kind.name }
    let says = text.from(end)
    if says.has(": ") || says.has("; ") || says.has(" after ") { message = text.name }
  }

  private mutating func readAddress(_ text: RawSpan) {
    // For an aborting process, the sender of the signal takes the place of an address.
    if signal == "SIGABRT" { return }
    for words: StaticString in [
      "on unknown address ", "on address ", "malloc()-ed: ", "owned: ",
      "attempting double-free on ",
      "heap object [", " on ",
    ] {
      guard let found = text.find(words) else { continue }
      var position = found + words.utf8CodeUnitCount
      if let value = text.hexadecimal(at: &position) {
        address = Address(value)
        return
      }
    }
  }
}
