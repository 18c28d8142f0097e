internal import Bytes

extension LineReader {
  /// Runs a line number program and keeps the rows at which file, line or column change.
  ///
  /// The last of several rows at one address counts. A row that goes backwards in a sequence begins
  /// a new one. Sequences that begin outside any code belong to functions that the linker dropped.
  ///
  /// Source: DWARF 5, section 6.2.5.
  mutating func run(
    _ header: LineHeader, _ spans: borrowing SectionSpans, space: CodeSpace, limits: DWARFLimits,
    into output: inout CodeTables
  ) {
    guard header.opcodeBase > 0 else { return }
    var cursor = Cursor(
      spans.line, isBigEndian: spans.isBigEndian, from: header.program, to: header.end)
    let base = header.opcodeBase
    let lineBase = header.lineBase
    let length = header.minimumInstructionLength
    let operations = header.maximumOperations
    // A range of 0 allows no special opcode; such opcodes would mean "no advance".
    let lineRange = max(header.lineRange, 1)
    // The address and line advances of special opcodes.
    var addressSteps = Table<UInt32>(minimumCapacity: 256)
    var lineSteps = Table<Int32>(minimumCapacity: 256)
    for opcode in 0..<256 {
      let adjusted = UInt64(max(opcode - Int(base), 0))
      addressSteps.append(UInt32(truncatingIfNeeded: adjusted / lineRange))
      lineSteps.append(Int32(truncatingIfNeeded: lineBase + Int64(adjusted % lineRange)))
    }
    let addressTable = addressSteps.span
    let lineTable = lineSteps.span
    let constantAdvance = UInt64(addressTable[255])

    // The state of the machine; the address as an offset from the image base.
    let origin = UInt64(0) &- space.imageBase
    var address = origin
    var operation: UInt64 = 0
    var fileNumber = file(1, spans, limits: limits, into: &output)
    let firstFile = fileNumber
    var line: UInt64 = 1
    var column: UInt64 = 0

    // The pending row, which waits for a later address, and the last one that was stored.
    var pendingAddress: UInt64 = 0
    var pendingLocation: UInt64 = 0
    var keptLocation = LineRow.noLocation
    var isOpen = false
    var sequenceStart: UInt64 = 0
    var firstRow = output.rows.count
    let rowLimit = limits.rows
    // The address of the first row of the sequence that exceeds the limit; everything before it is
    // reported in full.
    var limitAddress = UInt64.max
    var isLimited = false

    @inline(__always)
    func advance(_ count: UInt64) {
      if operations <= 1 {
        address &+= count &* length
      } else {
        let sum = operation &+ count
        address &+= length &* (sum / operations)
        operation = sum % operations
      }
    }

    @inline(__always)
    func flush(_ output: inout CodeTables) {
      if pendingLocation != keptLocation {
        guard output.rows.count < rowLimit else {
          limitAddress = min(limitAddress, pendingAddress)
          isLimited = true
          return
        }
        output.rows.append(
          LineRow(address: UInt32(truncatingIfNeeded: pendingAddress), location: pendingLocation))
        keptLocation = pendingLocation
      }
    }

    func endSequence(at end: UInt64, _ output: inout CodeTables) {
      if isOpen {
        flush(&output)
        let end = min(end, limitAddress)
        if output.rows.count > firstRow, end > sequenceStart, end <= UInt64(UInt32.max),
          space.holdsCode(at: UInt32(truncatingIfNeeded: sequenceStart)),
          isAhead
            || rangeOwners.assign(
              start: UInt32(truncatingIfNeeded: sequenceStart),
              end: UInt32(truncatingIfNeeded: end), for: tableNumber)
        {
          output.sequences.append(
            LineSequence(
              start: UInt32(truncatingIfNeeded: sequenceStart),
              end: UInt32(truncatingIfNeeded: end),
              firstRow: UInt32(truncatingIfNeeded: firstRow),
              rowCount: UInt32(truncatingIfNeeded: output.rows.count &- firstRow)))
          owners.append(tableNumber)
        } else {
          output.rows.truncate(to: firstRow)
        }
      }
      isOpen = false
      firstRow = output.rows.count
      keptLocation = LineRow.noLocation
      limitAddress = .max
    }

    @inline(__always)
    func addRow(_ output: inout CodeTables) {
      let location = LineRow.location(file: fileNumber, line: line, column: column)
      if isOpen {
        if address == pendingAddress {
          pendingLocation = location
          return
        }
        if address > pendingAddress, address <= UInt64(UInt32.max) {
          flush(&output)
          pendingAddress = address
          pendingLocation = location
          return
        }
        endSequence(at: pendingAddress, &output)
      }
      // Where a linker wrote a tombstone, the whole sequence is left out.
      guard address <= UInt64(UInt32.max) else { return }
      isOpen = true
      sequenceStart = address
      pendingAddress = address
      pendingLocation = location
    }

    while cursor.offset < cursor.end {
      let opcode = cursor.byte()
      if opcode >= base {
        let step = UInt64(addressTable[Int(opcode)])
        advance(step)
        line = line &+ UInt64(bitPattern: Int64(lineTable[Int(opcode)]))
        addRow(&output)
        continue
      }
      switch LineOpcode(rawValue: opcode) {
      case .extended:
        let size = cursor.uleb()
        guard size > 0, size <= UInt64(cursor.remaining) else {
          if size > 0 { cursor.fail() }
          continue
        }
        let next = cursor.offset &+ Int(size)
        switch ExtendedLineOpcode(rawValue: cursor.byte()) {
        case .endSequence:
          endSequence(at: address, &output)
          address = origin
          operation = 0
          fileNumber = firstFile
          line = 1
          column = 0
        case .setAddress:
          let width = Int(size) &- 1
          address = cursor.unsigned(size: [1, 2, 4, 8].contains(width) ? width : 8) &+ origin
          operation = 0
        case .defineFile:
          let name = TextReference(.line, cursor.offset)
          cursor.skipString()
          defineFile(LineFile(name: name, directory: cursor.uleb()))
        default: break
        }
        if !cursor.failed { cursor.seek(to: next) }
      case .copy: addRow(&output)
      case .advancePC: advance(cursor.uleb())
      case .advanceLine: line = line &+ UInt64(bitPattern: cursor.sleb())
      case .setFile: fileNumber = file(cursor.uleb(), spans, limits: limits, into: &output)
      case .setColumn: column = cursor.uleb()
      case .negateStatement, .setBasicBlock, .setPrologueEnd, .setEpilogueBegin: break
      case .constantAdvancePC: advance(constantAdvance)
      case .fixedAdvancePC:
        address &+= UInt64(cursor.u16())
        operation = 0
      case .setISA: cursor.skipLEB()
      default:
        var lengths = Cursor(
          spans.line, isBigEndian: false, from: header.opcodeLengths &+ Int(opcode) &- 1,
          to: header.program)
        for _ in 0..<lengths.byte() { cursor.skipLEB() }
      }
    }
    if isLimited {
      output.notes.add(
        "line table: limit on rows is reached at \(header.program.hexadecimal)",
        limit: limits.notes)
    } else if isOpen {
      // A program that never ends its last sequence leaves its rows without an end: the last row is
      // dropped.
      output.notes.add(
        "line table: the last sequence has no end at \(header.end.hexadecimal)",
        limit: limits.notes)
    }
    endSequence(at: pendingAddress, &output)
  }
}
