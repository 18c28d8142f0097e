internal import Bytes
internal import Identifiers

/// The head of a Breakpad symbol file.
///
/// The id of the `MODULE` line is the one that minidumps name, as 32 digits and an age; `INFO CODE_ID`
/// gives the build id of the program, in upper case.
///
/// Source: Breakpad, docs/symbol_files.md.
struct BreakpadFile: Sendable {
  let bytes: ByteView
  let architecture: Architecture
  let debugID: DebugID?
  let codeID: CodeID?
  let addressSize: Int

  /// Lines between `MODULE` and the last `INFO` that is looked at.
  private static let infoLines = 64
  private static let structure = "Breakpad symbols"

  /// Whether `bytes` begin like one, of which the first 64 are enough.
  static func isHeader(_ bytes: ByteView) -> Bool {
    guard bytes.starts(with: "MODULE ".utf8) else { return false }
    var lines = BreakpadLines(bytes.clamped(0..<64).bytes)
    guard lines.advance() else { return false }
    var line = lines.line
    _ = line.record()
    let (system, processor, id) = (line.word(), line.word(), line.word())
    // PDB 2.0 has ids of nine digits, others of 33 and more; a long name may cut them off here.
    return !system.isEmpty && !processor.isEmpty && !id.isEmpty
      && id.allSatisfy { bytes[$0].hexadecimalDigit != nil }
  }

  /// - Throws: ``ParseError`` for text that does not begin with a whole `MODULE` line, or is larger
  ///   than 4 GiB.
  init(parsing bytes: ByteView) throws(ParseError) {
    guard bytes.count <= Int(UInt32.max) else {
      throw ParseError(
        .limit(name: "bytes of text", value: Int(UInt32.max)), in: Self.structure, at: 0)
    }
    var lines = BreakpadLines(bytes.bytes)
    guard lines.advance() else { throw ParseError(.notRecognised, in: Self.structure, at: 0) }
    var line = lines.line
    guard case .module = line.record() else {
      throw ParseError(.notRecognised, in: Self.structure, at: 0)
    }
    _ = line.word()
    let processor = line.word()
    let id = line.word()
    guard !id.isEmpty else {
      throw ParseError(.invalid("line 1: MODULE without an id"), in: Self.structure, at: 0)
    }
    self.bytes = bytes
    architecture = Architecture(breakpad: bytes.clamped(processor).text)
    addressSize = architecture.hasWideAddresses ? 8 : 4
    let debugID = DebugID(breakpad: bytes.clamped(id).text)
    self.debugID = debugID?.isZero == true ? nil : debugID
    var codeID: CodeID?
    for _ in 0..<Self.infoLines {
      guard codeID == nil, lines.advance() else { break }
      var line = lines.line
      guard case .info = line.record() else { break }
      if line.takes("CODE_ID ") { codeID = CodeID(bytes.clamped(line.word()).text) }
    }
    self.codeID = codeID
  }

  /// Whether any function has lines.
  ///
  /// - Complexity: O(n) in the size of the file at worst, which is when none has.
  var hasLines: Bool {
    var lines = BreakpadLines(bytes.bytes)
    while lines.advance() {
      var line = lines.line
      if case .line = line.record(), line.hexadecimal() != nil, line.hexadecimal() != nil,
        line.decimal() != nil
      {
        return true
      }
    }
    return false
  }

  /// Whether any function is named.
  ///
  /// - Complexity: as ``hasLines``.
  var hasFunctions: Bool {
    var lines = BreakpadLines(bytes.bytes)
    while lines.advance() {
      var line = lines.line
      switch line.record() {
      case .function, .publicSymbol: return true
      default: break
      }
    }
    return false
  }

  /// All functions, `FUNC` and `PUBLIC`.
  func symbolTable() -> SymbolTable {
    var symbols = BreakpadSymbols()
    var lines = BreakpadLines(bytes.bytes)
    while lines.advance() {
      var line = lines.line
      switch line.record() {
      case .function:
        if let function = line.function() { symbols.add(function) }
      case .publicSymbol:
        if let symbol = line.publicSymbol() { symbols.add(symbol) }
      case .stackCFI:
        if let range = line.unwoundRange() { symbols.add(unwound: range) }
      default: break
      }
    }
    return symbols.table(in: bytes, withFunctions: true)
  }
}

extension Architecture {
  /// Reads the word of a `MODULE` line; Breakpad's names are ours but for one.
  fileprivate init(breakpad name: String) {
    switch name.lowercased() {
    case "x86": self = .i386
    case "amd64": self = .x86_64
    case "aarch64": self = .arm64
    case let name: self.init(name)
    }
  }

  fileprivate var hasWideAddresses: Bool { description.contains("64") }
}
