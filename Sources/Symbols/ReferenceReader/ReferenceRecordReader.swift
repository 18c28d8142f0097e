internal import Bytes
internal import ChildProcess
internal import ObjectFormats

/// Takes the child's records into tables. A record that makes no sense ends it with an error.
struct ReferenceRecordReader: ~Copyable {
  private var facts = ReferenceFacts()
  private let base: UInt64
  private let executable: [Range<UInt64>]
  private let limits: ReferenceLimits
  private var records = 0
  /// The numbers of functions and calls here; `none` for dropped ones.
  private var kept = Table<UInt32>()
  /// The unit that was the first to describe a range of code.
  private var owners: [UInt64: UInt32] = [:]
  private var sequence: (start: UInt32, firstRow: Int)?

  init(_ object: ObjectFile, limits: ReferenceLimits) {
    base = object.imageBase
    executable = object.executableRanges
    self.limits = limits
  }

  consuming func read(_ process: inout ReferenceProcess) throws(ReferenceReaderError)
    -> ReferenceFacts
  {
    while true {
      let kind = try process.byte()
      guard let record = ReferenceRecord(rawValue: kind) else {
        throw .wrongAnswer("no record begins with \(kind)")
      }
      records += 1
      let textBytes =
        facts.names.byteCount + facts.paths.byteCount + facts.symbolNames.byteCount
      guard records < limits.records, facts.codeRanges.count < limits.records else {
        throw .limit("records", limits.records)
      }
      guard textBytes < limits.nameBytes else { throw .limit("bytes of names", limits.nameBytes) }
      switch record {
      case .hello:
        facts.sandbox = try process.number()
        let status = SandboxStatus(bits: Int32(truncatingIfNeeded: facts.sandbox))
        guard SandboxPolicy.allows(status) else {
          throw .incompleteSandbox(status.description)
        }
      case .section: try readSection(&process)
      case .symbol: try readSymbol(&process)
      case .buildID: try readBuildID(&process)
      case .name: try facts.names.add(from: &process)
      case .path: try facts.paths.add(from: &process)
      case .unit:
        _ = try process.number()
        facts.unitCount &+= 1
      case .function: try readFunction(&process)
      case .call: try readCall(&process)
      case .row: try readRow(&process)
      case .end: try endSequence(&process)
      case .problem: try readProblem(&process)
      case .done: return facts
      }
    }
  }

  // MARK: The container

  private mutating func readSection(_ process: inout ReferenceProcess) throws(ReferenceReaderError)
  {
    try facts.sectionNames.add(from: &process)
    facts.sections.append(
      ReferenceFacts.Section(
        name: UInt32(clamping: facts.sectionNames.count), address: try process.number(),
        size: try process.number()))
  }

  private mutating func readSymbol(_ process: inout ReferenceProcess) throws(ReferenceReaderError) {
    try facts.symbolNames.add(from: &process)
    let name = UInt32(clamping: facts.symbolNames.count)
    let address = try process.number()
    let size = try process.number()
    let kind = try process.number()
    facts.symbolCount += 1
    let hash = facts.symbolNames.hash(name)
    facts.symbols.insert(SymbolKey.key(address, hash))
    // Arm marks Thumb code by an odd address.
    facts.symbols.insert(SymbolKey.key(address & ~1, hash))
    // STT_FUNC and STT_GNU_IFUNC of elf.h.
    if kind == 2 || kind == 10 {
      facts.functionSymbols.append(ReferenceFacts.Section(name: name, address: address, size: size))
    }
  }

  private mutating func readBuildID(_ process: inout ReferenceProcess) throws(ReferenceReaderError)
  {
    var bytes = Table<UInt8>()
    _ = try process.text(into: &bytes)
    guard facts.buildID.isEmpty else { return }
    for index in 0..<bytes.count { facts.buildID.append(bytes[index]) }
  }

  private mutating func readProblem(_ process: inout ReferenceProcess) throws(ReferenceReaderError)
  {
    let offset = try process.number()
    var bytes = Table<UInt8>()
    _ = try process.text(into: &bytes)
    facts.problemCount += 1
    guard facts.problems.count < 16 else { return }
    facts.problems.append("\(bytes.span.bytes.text) at \(offset.hexadecimal)")
  }

  // MARK: Code

  private mutating func readFunction(_ process: inout ReferenceProcess) throws(ReferenceReaderError)
  {
    _ = try process.number()
    let name = UInt32(clamping: try process.number())
    let scope = UInt32(clamping: facts.scopes.count)
    let firstCodeRange = facts.codeRanges.count
    try readPieces(&process, of: scope, isFunction: true)
    guard facts.codeRanges.count > firstCodeRange, isFirst(facts.codeRanges[firstCodeRange]) else {
      facts.codeRanges.truncate(to: firstCodeRange)
      kept.append(ReferenceFacts.none)
      return
    }
    kept.append(scope)
    facts.scopes.append(
      ReferenceFacts.Scope(
        name: name, parent: ReferenceFacts.none, path: 0, line: 0, column: 0, unit: facts.unitCount)
    )
  }

  /// Whether no earlier unit described this code: every unit describes folded code, and the
  /// first one's word counts.
  private mutating func isFirst(_ codeRange: ReferenceFacts.CodeRange) -> Bool {
    let key = UInt64(codeRange.start) << 32 | UInt64(codeRange.end)
    if let owner = owners[key] { return owner == facts.unitCount }
    owners[key] = facts.unitCount
    return true
  }

  private mutating func readCall(_ process: inout ReferenceProcess) throws(ReferenceReaderError) {
    let parent = try process.number()
    let name = UInt32(clamping: try process.number())
    let path = UInt32(clamping: try process.number())
    let line = UInt32(clamping: try process.number())
    let column = UInt32(clamping: try process.number())
    guard parent < UInt64(kept.count) else {
      throw .wrongAnswer("a call in scope \(parent) of \(kept.count)")
    }
    let around = kept[Int(parent)]
    let scope =
      around == ReferenceFacts.none ? ReferenceFacts.none : UInt32(clamping: facts.scopes.count)
    try readPieces(&process, of: scope, isFunction: false)
    kept.append(scope)
    guard scope != ReferenceFacts.none else { return }
    facts.scopes.append(
      ReferenceFacts.Scope(
        name: name, parent: around, path: path, line: line, column: column & 0xffff,
        unit: facts.unitCount))
  }

  private mutating func readPieces(
    _ process: inout ReferenceProcess, of scope: UInt32, isFunction: Bool
  ) throws(ReferenceReaderError) {
    let count = try process.number()
    for _ in 0..<count {
      let start = try process.number()
      let length = try process.number()
      records += 1
      guard records < limits.records else { throw .limit("records", limits.records) }
      guard scope != ReferenceFacts.none, start >= base, let first = UInt32(exactly: start - base),
        let end = UInt32(exactly: (start &- base).addingReportingOverflow(length).partialValue),
        end > first, !isFunction || holdsCode(start)
      else { continue }
      facts.codeRanges.append(ReferenceFacts.CodeRange(start: first, end: end, scope: scope))
    }
  }

  private func holdsCode(_ address: UInt64) -> Bool {
    executable.isEmpty || executable.contains { $0.contains(address) }
  }

  // MARK: Lines

  private mutating func readRow(_ process: inout ReferenceProcess) throws(ReferenceReaderError) {
    let address = try process.number()
    let path = UInt32(clamping: try process.number())
    let line = min(try process.number(), 0x3ff_ffff)
    let column = try process.number()
    guard address >= base, let offset = UInt32(exactly: address - base) else {
      close(at: nil)
      return
    }
    if sequence != nil, let last = facts.rows.last, last.address > offset {
      close(at: last.address)
    }
    if sequence == nil { sequence = (offset, facts.rows.count) }
    facts.rows.append(
      ReferenceFacts.Row(
        address: offset, path: path, line: UInt32(clamping: line),
        column: UInt32(truncatingIfNeeded: column & 0xffff)))
  }

  private mutating func endSequence(_ process: inout ReferenceProcess) throws(ReferenceReaderError)
  {
    let address = try process.number()
    close(at: address >= base ? UInt32(exactly: address - base) : nil)
  }

  /// Ends the open sequence; one that has no code is dropped.
  private mutating func close(at end: UInt32?) {
    guard let open = sequence else { return }
    sequence = nil
    let count = facts.rows.count - open.firstRow
    guard let end, end > open.start, holdsCode(base &+ UInt64(open.start)) else {
      facts.rows.truncate(to: open.firstRow)
      return
    }
    facts.sequences.append(
      ReferenceFacts.Sequence(start: open.start, end: end, firstRow: open.firstRow, rowCount: count)
    )
  }
}
