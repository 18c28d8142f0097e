public import Bytes

extension ParseError {
  /// Why a file is no report, in words for a person: what it is instead, or what is damaged in it.
  public var refusal: String { kind == .notRecognised ? structure : description }
}

/// A kind of file that is known but holds no report that is read here, in words for a person.
struct OtherFormat {
  let words: String

  static let unknown = OtherFormat(words: "no report of a known format")

  var refusal: ParseError { ParseError(.notRecognised, in: words, at: 0) }

  private init(words: String) { self.words = words }

  private init(report name: String) { words = "\(name), which this version does not read" }

  private init(symbols name: String) {
    words = "\(name), not a report: pass it with --symbols"
  }

  /// Files that their first bytes tell.
  init?(binary bytes: ByteView) {
    guard !bytes.isEmpty else {
      self.init(words: "empty file")
      return
    }
    let head = bytes.clamped(0..<4096).bytes
    for (magic, name) in Self.reportMagics where head.has(magic) {
      self.init(report: name)
      return
    }
    for (magic, name) in Self.archiveMagics where head.has(magic) {
      self.init(words: "\(name), not a report by itself")
      return
    }
    for (magic, name) in Self.symbolMagics where head.has(magic) {
      self.init(symbols: name)
      return
    }
    if let known = Self.executable(head) {
      self = known
      return
    }
    guard bytes.count == head.byteCount, Self.isBlank(head) else { return nil }
    self.init(words: "no text but blanks")
  }

  private static func isBlank(_ text: RawSpan) -> Bool {
    for index in 0..<text.byteCount {
      let byte = text.byte(index)
      if byte != 32 && !(9...13).contains(byte) { return false }
    }
    return true
  }

  private static let reportMagics: [(magic: StaticString, name: String)] = [
    ("MDMP", "a minidump"), ("PMDM", "a minidump, big-endian"),
    ("plcrash", "a PLCrashReporter report"), ("PAGEDUMP", "a Windows kernel dump"),
    ("PAGEDU64", "a Windows kernel dump"), ("bplist00", "a binary property list"),
  ]
  private static let archiveMagics: [(magic: StaticString, name: String)] = [
    ("PK\u{3}\u{4}", "a zip archive"), ("PK\u{5}\u{6}", "an empty zip archive"),
    ("BZh", "a bzip2 file"), ("7z\u{1}", "a 7z archive"), ("!<arch>\n", "a static library"),
  ]
  private static let symbolMagics: [(magic: StaticString, name: String)] = [
    ("Microsoft C/C++ MSF 7.00", "a PDB file"), ("BSJB", "a portable PDB file"),
    ("MPDB", "an embedded portable PDB file"), ("MODULE ", "a Breakpad symbol file"),
  ]

  /// Object files, which hold bytes that no static text can.
  private static func executable(_ head: RawSpan) -> OtherFormat? {
    let magic = [head.byteOrZero(0), head.byteOrZero(1), head.byteOrZero(2), head.byteOrZero(3)]
    switch magic {
    case [0x7f, 0x45, 0x4c, 0x46]:
      let low = head.byteOrZero(head.byteOrZero(5) == 2 ? 17 : 16)
      return low == 4
        ? OtherFormat(report: "an ELF core dump")
        : OtherFormat(symbols: "an ELF executable or debug file")
    case [0xfe, 0xed, 0xfa, 0xce], [0xfe, 0xed, 0xfa, 0xcf]:
      return machO(head.byteOrZero(15))
    case [0xce, 0xfa, 0xed, 0xfe], [0xcf, 0xfa, 0xed, 0xfe]:
      return machO(head.byteOrZero(12))
    case [0xca, 0xfe, 0xba, 0xbe]:
      return head.byteOrZero(7) < 40
        ? OtherFormat(symbols: "a universal Mach-O file")
        : OtherFormat(words: "a Java class, not a report")
    case [0, 0x61, 0x73, 0x6d]: return OtherFormat(symbols: "a WebAssembly module")
    case [0x28, 0xb5, 0x2f, 0xfd]: return OtherFormat(words: "a zstd file, not a report by itself")
    case [0xfd, 0x37, 0x7a, 0x58]: return OtherFormat(words: "an xz file, not a report by itself")
    default: break
    }
    if magic[0] == 0x1f, magic[1] == 0x8b {
      return OtherFormat(words: "a gzip file, not a report by itself")
    }
    if magic[0] == 0x4d, magic[1] == 0x5a, head.find(0) != nil {
      return OtherFormat(symbols: "a Windows executable")
    }
    if magic[0] == 0xff && magic[1] == 0xfe || magic[0] == 0xfe && magic[1] == 0xff {
      return OtherFormat(report: "text in UTF-16")
    }
    if magic[0] == 0x78, [1, 0x5e, 0x9c, 0xda].contains(magic[1]) {
      return OtherFormat(words: "a zlib stream, not a report by itself")
    }
    return nil
  }

  private static func machO(_ type: UInt8) -> OtherFormat {
    type == 4
      ? OtherFormat(report: "a Mach-O core dump")
      : OtherFormat(symbols: "a Mach-O executable or debug file")
  }

  /// Reports of other formats that may hold a line like one of a format that is read, so that they
  /// must be told before the search. Each is told by how it begins.
  init?(before text: RawSpan) {
    let head = text.upTo(FormatLimits.guessedBytes)
    if head.contains("# A fatal error has been detected by the Java Runtime Environment") {
      self.init(report: "a fatal error log of a Java runtime")
      return
    }
    guard head.trimmed.has("{") else { return nil }
    for (key, name) in Self.jsonKeys where head.contains(key) {
      self.init(report: name)
      return
    }
    return nil
  }

  private static let jsonKeys: [(key: StaticString, name: String)] = [
    ("\"CrashSeverity\"", "a CASR report"), ("\"ureport_version\"", "an ABRT report"),
    ("\"reportVersion\"", "a Node.js diagnostic report"),
    ("\"crash_info\"", "a Socorro crash"), ("\"protocol_version\"", "a Mono crash report"),
  ]

  /// Text formats, by lines that they all have.
  init?(text: RawSpan) {
    let head = text.upTo(FormatLimits.guessedBytes)
    for (mark, name) in Self.textMarks where head.contains(mark) {
      self.init(report: name)
      return
    }
    let trimmed = head.trimmed
    if trimmed.has("{") || trimmed.has("[") {
      self.init(words: "JSON, but no report of a known format")
      return
    }
    if head.find(0) != nil {
      self.init(words: "binary data, no report of a known format")
      return
    }
    return nil
  }

  /// In the order in which they are tried: what stands inside others comes later.
  private static let textMarks: [(mark: StaticString, name: String)] = [
    (
      ": Backtracing from ",
      "the announcement of a Swift backtrace that was written to another place"
    ),
    ("#  Internal Error (", "a fatal error log of a Java runtime"),
    ("-----BEGIN BREAKPAD MICRODUMP-----", "a Breakpad microdump"),
    ("*** *** *** *** *** ***", "an Android tombstone"),
    ("Build fingerprint:", "an Android tombstone"),
    ("DALVIK THREADS", "an Android thread dump"),
    ("ProblemType: Crash", "an Apport report"),
    ("COREDUMP_", "a systemd journal"),
    ("WARNING: DATA RACE", "a report of Go's race detector"),
    ("\ngoroutine ", "a Go panic"),
    (" panicked at ", "a Rust panic"),
    ("Traceback (most recent call last)", "a Python traceback"),
    ("Fatal Python error:", "a Python fatal error"),
    ("\"crashDiagnostics\"", "a MetricKit payload"),
    ("\"callStackTree\"", "a MetricKit payload"),
    ("\"binary_images\"", "a KSCrash report"),
    ("panic(cpu ", "a kernel panic of an Apple system"),
    ("Call Trace:", "a Linux kernel log"),
    ("Kernel panic", "a kernel log"),
    ("Oops: ", "a Linux kernel log"),
    ("KASAN: ", "a Linux kernel log"),
    ("BUG: ", "a Linux kernel log"),
    ("Exception in thread \"", "a Java stack trace"),
    ("\tat ", "a Java stack trace"),
    ("Unhandled exception. ", "a .NET stack trace"),
    ("Unhandled Exception:", "a .NET stack trace"),
    ("Program received signal", "a debugger's output"),
    ("libFuzzer", "the log of a fuzzer"),
    ("Fatal error in ", "a V8 fatal error"),
    ("#0  0x", "a debugger's output"),
    ("    at ", "a JavaScript or .NET stack trace"),
  ]
}
