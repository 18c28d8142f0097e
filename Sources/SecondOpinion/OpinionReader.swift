internal import Bytes
internal import ChildProcess
internal import ObjectFormats

/// Takes the child's records into tables. A record that makes no sense ends it with an error.
struct OpinionReader: ~Copyable {
  private var opinion = Opinion()
  private let base: UInt64
  private let executable: [Range<UInt64>]
  private let limits: OpinionLimits
  private var records = 0
  /// What functions and calls are numbered here; `none` for those that were dropped.
  private var kept = Table<UInt32>()
  /// The unit that was the first to tell of a stretch of code.
  private var owners: [UInt64: UInt32] = [:]
  private var sequence: (start: UInt32, firstRow: Int)?

  init(_ object: ObjectFile, limits: OpinionLimits) {
    base = object.imageBase
    executable = object.executableRanges
    self.limits = limits
  }

  consuming func read(_ process: inout OpinionProcess) throws(OpinionError) -> Opinion {
    while true {
      let kind = try process.byte()
      guard let record = OpinionRecord(rawValue: kind) else {
        throw .wrongAnswer("no record begins with \(kind)")
      }
      records += 1
      let textBytes =
        opinion.names.byteCount + opinion.paths.byteCount + opinion.symbolNames.byteCount
      guard records < limits.records, opinion.pieces.count < limits.records else {
        throw .limit("records", limits.records)
      }
      guard textBytes < limits.nameBytes else { throw .limit("bytes of names", limits.nameBytes) }
      switch record {
      case .hello:
        opinion.sandbox = try process.number()
        let status = SandboxStatus(bits: Int32(truncatingIfNeeded: opinion.sandbox))
        guard SandboxPolicy.allows(status) else {
          throw .incompleteSandbox(status.description)
        }
      case .section: try readSection(&process)
      case .symbol: try readSymbol(&process)
      case .buildID: try readBuildID(&process)
      case .name: try opinion.names.add(from: &process)
      case .path: try opinion.paths.add(from: &process)
      case .unit:
        _ = try process.number()
        opinion.unitCount &+= 1
      case .function: try readFunction(&process)
      case .call: try readCall(&process)
      case .row: try readRow(&process)
      case .end: try endSequence(&process)
      case .problem: try readProblem(&process)
      case .done: return opinion
      }
    }
  }

  // MARK: The container

  private mutating func readSection(_ process: inout OpinionProcess) throws(OpinionError) {
    try opinion.sectionNames.add(from: &process)
    opinion.sections.append(
      Opinion.Section(
        name: UInt32(clamping: opinion.sectionNames.count), address: try process.number(),
        size: try process.number()))
  }

  private mutating func readSymbol(_ process: inout OpinionProcess) throws(OpinionError) {
    try opinion.symbolNames.add(from: &process)
    let name = UInt32(clamping: opinion.symbolNames.count)
    let address = try process.number()
    let size = try process.number()
    let kind = try process.number()
    opinion.symbolCount += 1
    let hash = opinion.symbolNames.hash(name)
    opinion.symbols.insert(SymbolKey.key(address, hash))
    // Arm marks Thumb code by an odd address.
    opinion.symbols.insert(SymbolKey.key(address & ~1, hash))
    // STT_FUNC and STT_GNU_IFUNC of elf.h.
    if kind == 2 || kind == 10 {
      opinion.functionSymbols.append(Opinion.Section(name: name, address: address, size: size))
    }
  }

  private mutating func readBuildID(_ process: inout OpinionProcess) throws(OpinionError) {
    var bytes = Table<UInt8>()
    _ = try process.text(into: &bytes)
    guard opinion.buildID.isEmpty else { return }
    for index in 0..<bytes.count { opinion.buildID.append(bytes[index]) }
  }

  private mutating func readProblem(_ process: inout OpinionProcess) throws(OpinionError) {
    let offset = try process.number()
    var bytes = Table<UInt8>()
    _ = try process.text(into: &bytes)
    opinion.problemCount += 1
    guard opinion.problems.count < 16 else { return }
    opinion.problems.append("\(bytes.span.bytes.text) at \(offset.hexadecimal)")
  }

  // MARK: Code

  private mutating func readFunction(_ process: inout OpinionProcess) throws(OpinionError) {
    _ = try process.number()
    let name = UInt32(clamping: try process.number())
    let scope = UInt32(clamping: opinion.scopes.count)
    let firstPiece = opinion.pieces.count
    try readPieces(&process, of: scope, isFunction: true)
    guard opinion.pieces.count > firstPiece, isFirst(opinion.pieces[firstPiece]) else {
      opinion.pieces.truncate(to: firstPiece)
      kept.append(Opinion.none)
      return
    }
    kept.append(scope)
    opinion.scopes.append(
      Opinion.Scope(
        name: name, parent: Opinion.none, path: 0, line: 0, column: 0, unit: opinion.unitCount))
  }

  /// Whether no earlier unit told of this code: what linkers folded, every unit tells of, and the
  /// first one's word counts.
  private mutating func isFirst(_ piece: Opinion.Piece) -> Bool {
    let key = UInt64(piece.start) << 32 | UInt64(piece.end)
    if let owner = owners[key] { return owner == opinion.unitCount }
    owners[key] = opinion.unitCount
    return true
  }

  private mutating func readCall(_ process: inout OpinionProcess) throws(OpinionError) {
    let parent = try process.number()
    let name = UInt32(clamping: try process.number())
    let path = UInt32(clamping: try process.number())
    let line = UInt32(clamping: try process.number())
    let column = UInt32(clamping: try process.number())
    guard parent < UInt64(kept.count) else {
      throw .wrongAnswer("a call in scope \(parent) of \(kept.count)")
    }
    let around = kept[Int(parent)]
    let scope = around == Opinion.none ? Opinion.none : UInt32(clamping: opinion.scopes.count)
    try readPieces(&process, of: scope, isFunction: false)
    kept.append(scope)
    guard scope != Opinion.none else { return }
    opinion.scopes.append(
      Opinion.Scope(
        name: name, parent: around, path: path, line: line, column: column & 0xffff,
        unit: opinion.unitCount))
  }

  private mutating func readPieces(
    _ process: inout OpinionProcess, of scope: UInt32, isFunction: Bool
  ) throws(OpinionError) {
    let count = try process.number()
    for _ in 0..<count {
      let start = try process.number()
      let length = try process.number()
      records += 1
      guard records < limits.records else { throw .limit("records", limits.records) }
      guard scope != Opinion.none, start >= base, let first = UInt32(exactly: start - base),
        let end = UInt32(exactly: (start &- base).addingReportingOverflow(length).partialValue),
        end > first, !isFunction || holdsCode(start)
      else { continue }
      opinion.pieces.append(Opinion.Piece(start: first, end: end, scope: scope))
    }
  }

  private func holdsCode(_ address: UInt64) -> Bool {
    executable.isEmpty || executable.contains { $0.contains(address) }
  }

  // MARK: Lines

  private mutating func readRow(_ process: inout OpinionProcess) throws(OpinionError) {
    let address = try process.number()
    let path = UInt32(clamping: try process.number())
    let line = min(try process.number(), 0x3ff_ffff)
    let column = try process.number()
    guard address >= base, let place = UInt32(exactly: address - base) else {
      close(at: nil)
      return
    }
    if sequence != nil, let last = opinion.rows.last, last.address > place {
      close(at: last.address)
    }
    if sequence == nil { sequence = (place, opinion.rows.count) }
    opinion.rows.append(
      Opinion.Row(
        address: place, path: path, line: UInt32(clamping: line),
        column: UInt32(truncatingIfNeeded: column & 0xffff)))
  }

  private mutating func endSequence(_ process: inout OpinionProcess) throws(OpinionError) {
    let address = try process.number()
    close(at: address >= base ? UInt32(exactly: address - base) : nil)
  }

  /// Ends the open sequence; one that has no code is dropped.
  private mutating func close(at end: UInt32?) {
    guard let open = sequence else { return }
    sequence = nil
    let count = opinion.rows.count - open.firstRow
    guard let end, end > open.start, holdsCode(base &+ UInt64(open.start)) else {
      opinion.rows.truncate(to: open.firstRow)
      return
    }
    opinion.sequences.append(
      Opinion.Sequence(start: open.start, end: end, firstRow: open.firstRow, rowCount: count))
  }
}
