internal import Bytes
internal import DWARF
internal import Identifiers
internal import ObjectFormats

/// Reads the `STACK` lines of a Breakpad symbol file.
///
///     STACK CFI INIT address size register: expression [register: expression ...]
///     STACK CFI address register: expression ...
///     STACK WIN type address size prologue epilogue parameters saved locals stack program
///               (program string, or whether the base pointer was pushed)
///
/// Numbers are hexadecimal, those in expressions decimal. The rules of a line hold from its address
/// on; what it does not name stays as in the lines since `INIT`.
///
/// Source: Breakpad, docs/symbol_files.md.
struct StackLineReader: ~Copyable {
  private let bytes: ByteView
  private let registers: StackRegisters
  private let isX86: Bool
  /// The rules of expressions that were met before: lines repeat a few hundred.
  private var known: [ArraySlice<UInt8>: UnwindTerm?] = [:]
  private var cfa: UnwindTerm?
  private var lastStart: UInt32 = 0
  private var isOpen = false
  private var end: UInt32 = 0
  private var damagedLines = 0
  private var firstDamage = 0

  /// Different expressions that are remembered.
  private static let knownLimit = 1 << 14

  /// FrameData comes before FPO, and both before CFI, as Breakpad's walker prefers them.
  private enum Rank {
    static let frameData: UInt32 = 0
    static let fpo: UInt32 = 1
    static let cfi: UInt32 = 2
  }

  init(_ bytes: ByteView, architecture: Architecture) {
    self.bytes = bytes
    registers = StackRegisters(architecture)
    isX86 = UnwindRegisters.family(of: architecture) == .i386
  }

  /// Hands the rules of every function to `builder`. A line that cannot be read is left out.
  mutating func read(into builder: inout UnwindBuilder) {
    builder.allow(bytes: bytes.count)
    let bytes = self.bytes
    var lines = BreakpadLines(bytes.bytes)
    while lines.advance() {
      var line = lines.line
      let record = line.record()
      guard record == .stackCFI || record == .stackWin else { continue }
      do throws(ParseError) {
        let isRead =
          record == .stackCFI
          ? try readCFI(&line, in: bytes, into: &builder)
          : try readWin(&line, in: bytes, into: &builder)
        if !isRead {
          if damagedLines == 0 { firstDamage = lines.number }
          damagedLines += 1
        }
      } catch {
        builder.note(error.description)
        break
      }
    }
    close(&builder)
    if damagedLines > 0 {
      builder.note(
        "\(damagedLines) STACK \(damagedLines == 1 ? "line" : "lines") cannot be read, "
          + "the first is line \(firstDamage)")
    }
  }

  // MARK: STACK CFI

  @_lifetime(line: copy line)
  private mutating func readCFI(
    _ line: inout BreakpadLine, in bytes: ByteView, into builder: inout UnwindBuilder
  ) throws(ParseError) -> Bool {
    if line.takes("INIT ") {
      close(&builder)
      guard let start = line.hexadecimal().flatMap(UInt32.init(exactly:)),
        let size = line.hexadecimal(), size > 0
      else { return false }
      let end = UInt64(start).addingReportingOverflow(size)
      guard !end.overflow, let end = UInt32(exactly: end.partialValue) else { return false }
      builder.rules.clear()
      builder.rules.setReturnAddressRegister(registers.programCounter)
      cfa = nil
      let isRead = setRules(line.rest(), in: bytes, &builder)
      // Without both nothing can be walked.
      guard cfa != nil, builder.rules.has(UInt16(registers.programCounter)) else { return false }
      builder.sources.insert(.stackCFI)
      builder.open(start, end, rank: Rank.cfi)
      try builder.addRow(start)
      (isOpen, lastStart, self.end) = (true, start, end)
      return isRead
    }
    guard isOpen, let start = line.hexadecimal().flatMap(UInt32.init(exactly:)),
      start >= lastStart
    else { return false }
    let isRead = setRules(line.rest(), in: bytes, &builder)
    guard start < end else { return isRead }
    try builder.addRow(start)
    lastStart = start
    return isRead
  }

  private mutating func close(_ builder: inout UnwindBuilder) {
    if isOpen { builder.close() }
    isOpen = false
  }

  /// Sets the rules in the text at `range`; false when one of them cannot be read, which leaves its
  /// register lost.
  private mutating func setRules(
    _ range: Range<Int>, in bytes: ByteView, _ builder: inout UnwindBuilder
  ) -> Bool {
    let text = bytes.clamped(range).array
    var isRead = true
    var position = 0
    var name = ""
    var expression = 0
    func finish(_ end: Int, _ reader: inout Self, _ builder: inout UnwindBuilder) {
      guard !name.isEmpty else { return }
      var end = end
      while end > expression, text[end - 1] == UInt8(ascii: " ") { end -= 1 }
      if !reader.setRule(of: name, text[min(expression, end)..<end], &builder) { isRead = false }
    }
    while position < text.count {
      while position < text.count, text[position] == UInt8(ascii: " ") { position += 1 }
      let start = position
      while position < text.count, text[position] != UInt8(ascii: " ") { position += 1 }
      guard position > start, text[position - 1] == UInt8(ascii: ":") else {
        // Something before the first name.
        if name.isEmpty, position > start { isRead = false }
        continue
      }
      finish(start, &self, &builder)
      name = String(decoding: text[start..<position - 1], as: UTF8.self)
      expression = min(position + 1, text.count)
    }
    finish(text.count, &self, &builder)
    return isRead
  }

  private mutating func setRule(
    of name: String, _ text: ArraySlice<UInt8>, _ builder: inout UnwindBuilder
  ) -> Bool {
    if name == ".cfa" {
      cfa = term(text)
      guard let cfa else {
        builder.rules.setCFAUnknown()
        return false
      }
      builder.setCFA(cfa)
      return true
    }
    // A register that is not known here is of no use to anybody.
    guard let register = registers[name] else { return true }
    if text.elementsEqual(".undef".utf8) {
      return builder.rules.set(register, UnwindFormat.RuleKind.undefined)
    }
    guard let term = term(text) else {
      _ = builder.rules.set(register, UnwindFormat.RuleKind.undefined)
      return false
    }
    return builder.set(register, term, cfa: nil)
  }

  private mutating func term(_ text: ArraySlice<UInt8>) -> UnwindTerm? {
    if let known = known[text] { return known }
    var program = StackProgram(registers: registers, variables: [:])
    let term = program.expression(text)
    if known.count < Self.knownLimit { known[text] = .some(term) }
    return term
  }

  // MARK: STACK WIN

  @_lifetime(line: copy line)
  private mutating func readWin(
    _ line: inout BreakpadLine, in bytes: ByteView, into builder: inout UnwindBuilder
  ) throws(ParseError) -> Bool {
    close(&builder)
    guard isX86, let type = line.hexadecimal(),
      let start = line.hexadecimal().flatMap(UInt32.init(exactly:)),
      let size = line.hexadecimal().flatMap(UInt32.init(exactly:)),
      line.hexadecimal() != nil, line.hexadecimal() != nil,
      let parameters = line.hexadecimal().flatMap(UInt32.init(exactly:)),
      let saved = line.hexadecimal().flatMap(Int32.init(exactly:)),
      let locals = line.hexadecimal().flatMap(Int32.init(exactly:)),
      line.hexadecimal() != nil, let hasProgram = line.hexadecimal(), size > 0
    else { return false }
    let (end, overflow) = start.addingReportingOverflow(size)
    guard !overflow, type == 4 || type == 0 else { return type != 4 && type != 0 }
    let rest = bytes.clamped(line.rest()).array
    builder.rules.clear()
    builder.rules.setReturnAddressRegister(registers.programCounter)
    let frame = Int64(saved) + Int64(locals)
    let isSet: Bool
    if type == 4 {
      guard hasProgram == 1 else { return false }
      isSet = setFrameData(rest, frame: frame, locals: locals, saved: saved, parameters, &builder)
    } else {
      guard hasProgram == 0 else { return false }
      isSet = setFPO(pushesBase: rest.contains(UInt8(ascii: "1")), frame, locals, &builder)
    }
    guard isSet, builder.rules.setParameterBytes(parameters) else { return false }
    builder.sources.insert(.stackWin)
    builder.open(start, end, rank: type == 4 ? Rank.frameData : Rank.fpo)
    try builder.addRow(start)
    builder.close()
    return true
  }

  private static let esp: UInt16 = 4
  private static let ebp: UInt16 = 5

  /// Where the return address is expected: after what the function keeps on the stack, and the
  /// parameters of the function that it called.
  private static func search(_ frame: Int64) -> UnwindTerm? {
    UnwindTerm.combine(.plus, UnwindTerm(register: esp), .calleeParameterBytes)?.adding(frame)
  }

  /// A frame without a frame pointer. The base pointer, where it was pushed, lies below the locals.
  ///
  /// Source: Breakpad, stackwalker_x86.cc, for records without a program.
  private func setFPO(
    pushesBase: Bool, _ frame: Int64, _ locals: Int32, _ builder: inout UnwindBuilder
  ) -> Bool {
    guard let term = Self.search(frame) else { return false }
    builder.setCFA(term.adding(4))
    builder.rules.flags = .searchedReturnAddress
    guard builder.rules.set(UInt16(registers.programCounter), UnwindFormat.RuleKind.offset, -4)
    else { return false }
    let offset = Int64(locals) + 12
    guard pushesBase, let offset = Int32(exactly: -offset) else { return true }
    return builder.rules.set(Self.ebp, UnwindFormat.RuleKind.offset, offset)
  }

  private func setFrameData(
    _ text: [UInt8], frame: Int64, locals: Int32, saved: Int32, _ parameters: UInt32,
    _ builder: inout UnwindBuilder
  ) -> Bool {
    // Code that aligns the stack has lost the way from the stack pointer.
    let isAligned = text.contains(UInt8(ascii: "@"))
    let search =
      isAligned ? UnwindTerm(register: Self.ebp).adding(4) : Self.search(frame)
    guard let search else { return false }
    var program = StackProgram(
      registers: registers,
      variables: [
        ".raSearch": search, ".raSearchStart": search, ".cbParams": UnwindTerm(Int64(parameters)),
        ".cbLocals": UnwindTerm(Int64(locals)), ".cbSavedRegs": UnwindTerm(Int64(saved)),
        ".cbCalleeParams": .calleeParameterBytes,
      ])
    guard program.run(text[...]), let stack = program.assigned("$esp"),
      let address = program.assigned("$eip")
    else { return false }
    builder.setCFA(stack)
    if program.usesSearch { builder.rules.flags = .searchedReturnAddress }
    guard builder.set(UInt16(registers.programCounter), address, cfa: stack) else { return false }
    for (names, register) in Self.savedRegisters {
      guard let term = names.compactMap({ program.assigned($0) }).first else { continue }
      guard builder.set(register, term, cfa: stack) else { return false }
    }
    return true
  }

  /// The registers that a program may assign, also by their numbers in CodeView, with ours.
  ///
  /// Source: Microsoft, cvconst.h, CV_REG_EBX (20) to CV_REG_EDI (24).
  private static let savedRegisters: [(names: [String], UInt16)] = [
    (["$ebx", "$20"], 3), (["$ebp", "$22"], 5), (["$esi", "$23"], 6), (["$edi", "$24"], 7),
  ]
}
