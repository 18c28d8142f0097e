internal import Bytes
internal import DWARF
internal import ObjectFormats

/// Reads functions, inlined calls and lines of a Breakpad symbol file, in one pass over its text.
///
/// - Lines and calls belong to the last function, and count only within it; one whose address or
///   size cannot be read loses its lines too.
/// - Files and the names of inlined functions may follow their use: then the rest of the text is
///   searched once for them. The first of two with the same number counts.
/// - A line that is not a record is left out and reported; records needed only for stack walks are
///   skipped.
///
/// Source: Breakpad, docs/symbol_files.md.
struct BreakpadReader: ~Copyable {
  private var builder: CodeTablesBuilder
  private var symbols = BreakpadSymbols()
  private var files = NumberTable()
  private var origins = NumberTable()
  private var calls = BreakpadCalls()
  private var function: BreakpadFunction?
  /// The scope of ``function``.
  private var scope: UInt32?
  /// The number of the file without a name, once needed.
  private var unknownFile: UInt32?
  /// Whether the rest of the text has been searched for files and names.
  private var hasSearched = false
  private let bytes: ByteView

  /// The function for calls of an unknown origin, once there is one.
  private var unknownFunction: UInt32?

  init(_ object: ObjectFile, limits: DWARFLimits) {
    bytes = object.bytes
    builder = CodeTablesBuilder(inputSize: bytes.count, limits: limits)
  }

  /// Reads everything.
  ///
  /// - Returns: The tables; their names are put into `strings`, the names of `PUBLIC` records into
  ///   `publics`.
  consuming func run(strings: inout ByteView, publics: inout SymbolTable) -> CodeTables {
    let text = bytes
    let span = text.bytes
    var lines = BreakpadLines(span)
    while lines.advance() {
      var line = lines.line
      let isRead =
        switch line.record() {
        case .line: addRow(&line, lines)
        case .function: beginFunction(&line, span)
        case .inline: addCall(&line, lines)
        case .file: addFile(&line, span)
        case .inlineOrigin: addOrigin(&line, span)
        case .publicSymbol: addPublic(&line)
        case .module: lines.number == 1
        case .info, .stackWin: true
        case .stackCFI: addRules(&line)
        }
      if !isRead {
        builder.note("Breakpad symbols: line \(lines.number) is not a readable record")
      }
    }
    endFunction()
    publics = symbols.table(in: text, withFunctions: false)
    return builder.finish(strings: &strings)
  }

  // MARK: Functions

  private mutating func beginFunction(_ line: inout BreakpadLine, _ span: RawSpan) -> Bool {
    endFunction()
    guard let record = line.function() else { return false }
    guard record.end > record.start else { return true }
    symbols.add(record)
    let name = builder.addName(
      span.extracting(record.nameOffset..<(record.nameOffset &+ record.nameCount)))
    let number = builder.addFunction(named: name)
    guard let scope = builder.addScope(of: number, entry: record.start) else { return true }
    builder.addCodeRange(from: record.start, to: record.end, of: scope)
    function = record
    self.scope = scope
    return true
  }

  /// Finishes the last function, whose calls are complete only now.
  private mutating func endFunction() {
    if let function, let scope, !calls.isEmpty {
      if !calls.add(to: &builder, scope: scope, from: function.start, to: function.end) {
        builder.note(
          "Breakpad symbols: too many inlined calls within each other in the function at "
            + function.start.hexadecimal)
      }
    }
    calls.removeAll()
    function = nil
    scope = nil
  }

  private mutating func addPublic(_ line: inout BreakpadLine) -> Bool {
    guard let symbol = line.publicSymbol() else { return false }
    symbols.add(symbol)
    return true
  }

  /// Collects only the ends of functions from the unwind rules.
  private mutating func addRules(_ line: inout BreakpadLine) -> Bool {
    if let range = line.unwoundRange() { symbols.add(unwound: range) }
    return true
  }

  // MARK: Lines

  @inline(__always)
  private mutating func addRow(_ line: inout BreakpadLine, _ lines: borrowing BreakpadLines)
    -> Bool
  {
    guard let address = line.hexadecimal(), let size = line.hexadecimal(),
      let number = line.decimal(), let file = line.decimal()
    else { return false }
    guard let function, address >= UInt64(function.start), address < UInt64(function.end) else {
      return true
    }
    let end = min(address &+ min(size, UInt64(UInt32.max)), UInt64(function.end))
    builder.addRow(
      from: UInt32(truncatingIfNeeded: address), to: UInt32(truncatingIfNeeded: end),
      file: self.file(file, lines), line: number)
    return true
  }

  private mutating func addCall(_ line: inout BreakpadLine, _ lines: borrowing BreakpadLines)
    -> Bool
  {
    guard let level = line.decimal(), let callLine = line.decimal(), let file = line.decimal(),
      let origin = line.decimal()
    else { return false }
    guard function != nil else { return true }
    let number = self.file(file, lines)
    let call = calls.begin(
      of: self.origin(origin, lines), file: number, line: callLine)
    while !line.isAtEnd {
      guard let address = line.hexadecimal(), let size = line.hexadecimal() else { return false }
      let end = address.addingReportingOverflow(size)
      guard let start = UInt32(exactly: address) else { continue }
      calls.addRange(
        from: start, to: end.overflow ? .max : UInt32(clamping: end.partialValue), of: call,
        level: level)
    }
    return true
  }

  // MARK: Files and names by number

  private mutating func addFile(_ line: inout BreakpadLine, _ span: RawSpan) -> Bool {
    guard let number = line.decimal() else { return false }
    if files[number] == nil { files[number] = builder.addFile(span.extracting(line.rest())) }
    return true
  }

  private mutating func addOrigin(_ line: inout BreakpadLine, _ span: RawSpan) -> Bool {
    guard let number = line.decimal() else { return false }
    if origins[number] == nil {
      let name = builder.addName(span.extracting(line.rest()))
      origins[number] = builder.addFunction(named: name)
    }
    return true
  }

  @inline(__always)
  private mutating func file(_ number: UInt32, _ lines: borrowing BreakpadLines) -> UInt32 {
    if let known = files[number] { return known }
    return lateFile(number, from: lines.offset)
  }

  @inline(never)
  private mutating func lateFile(_ number: UInt32, from offset: Int) -> UInt32 {
    search(from: offset)
    if let known = files[number] { return known }
    // The line counts, whichever file it is in.
    if let unknownFile { return unknownFile }
    let file = builder.addFile(RawSpan())
    unknownFile = file
    return file
  }

  private mutating func origin(_ number: UInt32, _ lines: borrowing BreakpadLines) -> UInt32 {
    if let known = origins[number] { return known }
    search(from: lines.offset)
    if let known = origins[number] { return known }
    if let unknownFunction { return unknownFunction }
    let function = builder.addFunction(named: .none)
    unknownFunction = function
    return function
  }

  /// Reads the files and names of inlined functions that follow `offset`, once.
  private mutating func search(from offset: Int) {
    guard !hasSearched else { return }
    hasSearched = true
    let rest = bytes.clamped(offset..<bytes.count)
    let span = rest.bytes
    var lines = BreakpadLines(span)
    while lines.advance() {
      var line = lines.line
      switch line.record() {
      case .file: _ = addFile(&line, span)
      case .inlineOrigin: _ = addOrigin(&line, span)
      default: break
      }
    }
  }
}

extension ObjectCode {
  /// Reads a Breakpad symbol file.
  convenience init(breakpad object: ObjectFile, limits: DWARFLimits) {
    var sections = DWARFSections(
      endianness: object.endianness, addressSize: object.addressSize)
    var publics = SymbolTable.empty
    let reader = BreakpadReader(object, limits: limits)
    let tables = reader.run(strings: &sections.strings, publics: &publics)
    let notes = tables.notes.lines
    self.init(
      tables, in: sections, symbols: publics,
      space: CodeSpace(imageBase: object.imageBase, executable: []), notes: notes, limits: limits)
  }
}
