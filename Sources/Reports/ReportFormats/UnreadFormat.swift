public import Bytes

extension ParseError {
  /// The reason why a file is not a report, for display: what it is instead, or how it is damaged.
  public var refusal: String { kind == .notRecognised ? structure : description }
}

/// A kind of file that is known but not supported.
struct UnreadFormat {
  let description: String

  static let unknown = UnreadFormat(description: "no report of a known format")

  var refusal: ParseError { ParseError(.notRecognised, in: description, at: 0) }

  private init(description: String) { self.description = description }

  private init(report name: String) { description = Self.unread(name) }

  private static func unread(_ name: String) -> String {
    "\(name), which this version does not read"
  }

  private static func packed(_ name: String) -> String { "\(name), not a report by itself" }

  private static func symbols(_ name: String) -> String {
    "\(name), not a report: pass it with --symbols"
  }

  /// Files that are recognised by their first bytes.
  init?(binary bytes: ByteView) {
    guard !bytes.isEmpty else {
      self.init(description: "empty file")
      return
    }
    if let magic = FileMagic(of: bytes), let words = Self.words(for: magic) {
      self.init(description: words)
      return
    }
    let head = bytes.clamped(0..<4096).bytes
    if head.has("MODULE ") {
      self.init(description: Self.symbols("a Breakpad symbol file"))
      return
    }
    guard bytes.count == head.byteCount, Self.isBlank(head) else { return nil }
    self.init(description: "no text but blanks")
  }

  private static func isBlank(_ text: RawSpan) -> Bool {
    for index in 0..<text.byteCount {
      let byte = text.byte(index)
      if byte != 32 && !(9...13).contains(byte) { return false }
    }
    return true
  }

  /// A description of a file; `nil` for one that a reader supports.
  private static func words(for magic: FileMagic) -> String? {
    switch magic {
    case .minidump, .bigEndianMinidump, .elfCore, .plCrashReport: nil
    case .windowsKernelDump: unread("a Windows kernel dump")
    case .binaryPropertyList: unread("a binary property list")
    case .machOCore: unread("a Mach-O core dump")
    case .utf16: "text in UTF-16 that is cut off"
    case .zip: packed("a zip archive")
    case .emptyZip: packed("an empty zip archive")
    case .sevenZip: packed("a 7z archive")
    case .tar: packed("a tar archive")
    case .gzip: packed("a gzip file")
    case .bzip2: packed("a bzip2 file")
    case .xz: packed("an xz file")
    case .zstd: packed("a zstd file")
    case .lz4: packed("an lz4 file")
    case .zlib: packed("a zlib stream")
    case .staticLibrary: packed("a static library")
    case .elf: symbols("an ELF executable or debug file")
    case .machO: symbols("a Mach-O executable or debug file")
    case .universalMachO: symbols("a universal Mach-O file")
    case .windowsProgram: symbols("a Windows executable")
    case .pdb, .oldPDB: symbols("a PDB file")
    case .portablePDB: symbols("a portable PDB file")
    case .embeddedPortablePDB: symbols("an embedded portable PDB file")
    case .webAssembly: symbols("a WebAssembly module")
    case .javaClass: "a Java class, not a report"
    }
  }

  /// Text formats, by lines that they all have.
  init?(text: RawSpan) {
    let head = text.upTo(FormatLimits.guessedBytes)
    for (mark, name) in Self.textMarks where head.contains(mark) {
      self.init(report: name)
      return
    }
    let trimmed = head.trimmed
    if Self.isChromium(trimmed) {
      self.init(description: "the log of a Chromium program without a crash")
      return
    }
    if trimmed.has("{") || Self.beginsArray(trimmed) {
      self.init(description: "JSON, but no report of a known format")
      return
    }
    if head.find(0) != nil {
      self.init(description: "binary data, no report of a known format")
      return
    }
    return nil
  }

  /// Whether a list of JSON begins, rather than a line of a log: `[12:34:0412/075451:INFO:a.cc(7)]`, `[info]`.
  private static func beginsArray(_ text: RawSpan) -> Bool {
    guard text.has("[") else { return false }
    var index = 1
    while [9, 10, 13, 32].contains(text.byteOrZero(index)) { index += 1 }
    let first = text.byteOrZero(index)
    if first.isOne(of: "{[]\"") || first == 0 { return true }
    if first == UInt8(ascii: "-") || first.isDigit {
      var end = index + 1
      while text.byteOrZero(end).isDigit { end += 1 }
      return [9, 10, 13, 32].contains(text.byteOrZero(end))
        || text.byteOrZero(end).isOne(of: ",].eE")
    }
    return text.has("true", at: index) || text.has("false", at: index)
      || text.has("null", at: index)
  }

  /// `[12:34:0412/075451.163515:INFO:cpu_info.cc(53)] `
  private static func isChromium(_ text: RawSpan) -> Bool {
    guard text.has("["), let close = text.upTo(512).find("] "), close > 4 else { return false }
    let head = text.upTo(close)
    for severity: StaticString in [":INFO:", ":WARNING:", ":ERROR:", ":VERBOSE"]
    where head.contains(severity) {
      return head.ends(with: ")") || head.byteOrZero(close - 1).isDigit
    }
    return false
  }

  /// In the order in which they are tried: formats that occur inside others come later.
  private static let textMarks: [(mark: StaticString, name: String)] = [
    (
      ": Backtracing from ",
      "the announcement of a Swift backtrace that was written elsewhere"
    ),
    ("COREDUMP_", "a systemd journal without the crash of a program"),
    ("panic(cpu ", "a kernel panic of an Apple system"),
    ("][ T", "the log of a Linux kernel without a report of a bug"),
    ("] Linux version ", "the log of a Linux kernel without a report of a bug"),
    ("libFuzzer", "the log of a fuzzer"),
  ]
}
