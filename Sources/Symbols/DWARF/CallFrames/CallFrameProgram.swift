internal import Bytes

/// Runs the instructions of an entry, which turn the rules of one address into those of the next.
///
/// Source: DWARF 5, sections 6.4.2 and 7.24; LSB Core 5.0, section 10.6.1, for the GNU instructions;
/// the ABI of the Arm 64-bit architecture (aadwarf64) for `DW_CFA_AARCH64_negate_ra_state`.
struct CallFrameProgram {
  private let common: CommonEntry
  private let end: UInt32
  /// Whether these are the instructions that all functions begin with.
  private let isCommon: Bool
  /// Where the rules that are being made begin to hold, from the image base.
  private(set) var location: UInt64
  /// Whether they differ from the last row.
  private var isChanged = true

  init(_ common: CommonEntry, start: UInt32, end: UInt32, isCommon: Bool) {
    self.common = common
    self.end = end
    self.isCommon = isCommon
    location = UInt64(start)
  }

  /// Reads to the end of `reader` and adds the rows to the function that is open in `output`.
  @_lifetime(reader: copy reader)
  mutating func run<Output: CallFrameOutput & ~Copyable>(
    _ reader: inout ByteReader, _ owner: inout CallFrameReader, _ output: inout Output
  ) throws(ParseError) {
    while !reader.isAtEnd {
      let instruction = CallFrameInstruction(rawValue: try reader.read())
      switch instruction.primary {
      case .advanceLocation: try advance(instruction.operand, reader, owner, &output)
      case .offset:
        let offset = try factored(try reader.readULEB128(), reader)
        try set(instruction.operand, .offset, offset, &owner, reader)
      case .restore: try restore(instruction.operand, &owner, reader)
      default: try runExtended(instruction, &reader, &owner, &output)
      }
    }
    try addRow(owner, &output)
  }

  @_lifetime(reader: copy reader)
  private mutating func runExtended<Output: CallFrameOutput & ~Copyable>(
    _ instruction: CallFrameInstruction, _ reader: inout ByteReader,
    _ owner: inout CallFrameReader,
    _ output: inout Output
  ) throws(ParseError) {
    switch instruction {
    case .nothing: break
    case .setLocation:
      let encoding = PointerEncoding(common.addressEncoding)
      let address = try encoding.read(
        &reader, addressSize: common.addressSize, bases: owner.section.bases)
      let mask: UInt64 = common.addressSize == 4 ? 0xffff_ffff : .max
      try move(to: (address & mask) &- owner.section.imageBase, reader, owner, &output)
    case .advanceLocation1: try advance(UInt64(try reader.read(UInt8.self)), reader, owner, &output)
    case .advanceLocation2:
      try advance(UInt64(try reader.read(UInt16.self)), reader, owner, &output)
    case .advanceLocation4:
      try advance(UInt64(try reader.read(UInt32.self)), reader, owner, &output)
    case .offsetExtended:
      let register = try reader.readULEB128()
      let offset = try factored(try reader.readULEB128(), reader)
      try set(register, .offset, offset, &owner, reader)
    case .restoreExtended: try restore(try reader.readULEB128(), &owner, reader)
    case .undefined: try set(try reader.readULEB128(), .undefined, 0, &owner, reader)
    case .sameValue: try set(try reader.readULEB128(), .sameValue, 0, &owner, reader)
    case .register:
      let register = try reader.readULEB128()
      let other = owner.section.number(of: try reader.readULEB128())
      guard other <= UInt64(UInt16.max) else { throw reader.error(.invalid("register \(other)")) }
      try set(register, .register, Int32(other), &owner, reader)
    case .rememberState: try remember(reader, &owner)
    case .restoreState: try restoreState(reader, &owner)
    case .defineCFA:
      let register = try reader.readULEB128()
      try setCFA(
        register, offset: Int64(clamping: try reader.readULEB128()), &owner, reader)
    case .defineCFARegister:
      // The assembler for MIPS begins with it, and means an offset of 0.
      let offset: Int64
      switch owner.row.head.cfa {
      case .unknown: offset = 0
      case .register(_, let known): offset = Int64(known)
      case .expression: throw reader.error(.invalid("a new register for a CFA that has none"))
      }
      try setCFA(try reader.readULEB128(), offset: offset, &owner, reader)
    case .defineCFAOffset:
      try setCFA(offset: Int64(clamping: try reader.readULEB128()), &owner, reader)
    case .defineCFAExpression:
      owner.row.head.cfa = .expression(try expression(&reader, owner, depth: 0, &output))
      isChanged = true
    case .expression, .valueExpression:
      let register = try reader.readULEB128()
      let number = try expression(&reader, owner, depth: 1, &output)
      try set(
        register, instruction == .expression ? .expression : .valueExpression,
        Int32(bitPattern: number), &owner, reader)
    case .offsetExtendedSigned:
      let register = try reader.readULEB128()
      let offset = try factored(try reader.readSLEB128(), reader)
      try set(register, .offset, offset, &owner, reader)
    case .defineCFASigned:
      let register = try reader.readULEB128()
      let offset = Int64(try factored(try reader.readSLEB128(), reader))
      try setCFA(register, offset: offset, &owner, reader)
    case .defineCFAOffsetSigned:
      try setCFA(
        offset: Int64(try factored(try reader.readSLEB128(), reader)), &owner, reader)
    case .valueOffset:
      let register = try reader.readULEB128()
      let offset = try factored(try reader.readULEB128(), reader)
      try set(register, .valueOffset, offset, &owner, reader)
    case .valueOffsetSigned:
      let register = try reader.readULEB128()
      let offset = try factored(try reader.readSLEB128(), reader)
      try set(register, .valueOffset, offset, &owner, reader)
    case .mipsAdvanceLocation8:
      try advance(try reader.read(UInt64.self), reader, owner, &output)
    case .arm64NegateReturnAddressState, .arm64NegateReturnAddressStateWithPC:
      guard owner.section.isARM64 else {
        throw reader.error(.unsupported("instruction \(instruction.rawValue.hexadecimal)"))
      }
      owner.row.head.hasSignedReturnAddress.toggle()
      isChanged = true
    case .gnuArgumentsSize: _ = try reader.readULEB128()  // only for landing pads
    case .gnuNegativeOffsetExtended:
      let register = try reader.readULEB128()
      let offset = try factored(-Int64(clamping: try reader.readULEB128()), reader)
      try set(register, .offset, offset, &owner, reader)
    default: throw reader.error(.unsupported("instruction \(instruction.rawValue.hexadecimal)"))
    }
  }

  // MARK: Addresses

  private mutating func advance<Output: CallFrameOutput & ~Copyable>(
    _ delta: UInt64, _ reader: borrowing ByteReader, _ owner: borrowing CallFrameReader,
    _ output: inout Output
  ) throws(ParseError) {
    let (distance, isLong) = delta.multipliedReportingOverflow(by: common.codeAlignment)
    let (next, overflow) = location.addingReportingOverflow(distance)
    guard !isLong, !overflow else { throw reader.error(.invalid("an advance by \(delta)")) }
    try move(to: next, reader, owner, &output)
  }

  private mutating func move<Output: CallFrameOutput & ~Copyable>(
    to next: UInt64, _ reader: borrowing ByteReader, _ owner: borrowing CallFrameReader,
    _ output: inout Output
  ) throws(ParseError) {
    guard !isCommon, next >= location else {
      throw reader.error(.invalid("a move to \(next.hexadecimal)"))
    }
    guard next > location else { return }
    try addRow(owner, &output)
    location = next
  }

  private mutating func addRow<Output: CallFrameOutput & ~Copyable>(
    _ owner: borrowing CallFrameReader, _ output: inout Output
  ) throws(ParseError) {
    guard isChanged, !isCommon, location < UInt64(end) else { return }
    try output.addRow(UInt32(location), owner.row)
    isChanged = false
  }

  // MARK: Rules

  private func factored(
    _ value: UInt64, _ reader: borrowing ByteReader
  ) throws(ParseError) -> Int32 {
    guard let value = Int64(exactly: value) else {
      throw reader.error(.invalid("an offset of \(value)"))
    }
    return try factored(value, reader)
  }

  private func factored(
    _ value: Int64, _ reader: borrowing ByteReader
  ) throws(ParseError) -> Int32 {
    let (offset, overflow) = value.multipliedReportingOverflow(by: common.dataAlignment)
    guard !overflow, let offset = Int32(exactly: offset) else {
      throw reader.error(.unsupported("an offset of \(value)"))
    }
    return offset
  }

  private mutating func set(
    _ register: UInt64, _ kind: CallFrameRules.Kind, _ value: Int32,
    _ owner: inout CallFrameReader, _ reader: borrowing ByteReader
  ) throws(ParseError) {
    guard let number = UInt16(exactly: owner.section.number(of: register)) else {
      throw reader.error(.unsupported("register \(register)"))
    }
    guard owner.row.set(CallFrameRules.Rule(register: number, kind: kind, value: value)) else {
      throw reader.error(.limit(name: "registers in a row", value: CallFrameLimits.registers))
    }
    isChanged = true
  }

  private mutating func setCFA(
    _ register: UInt64, offset: Int64, _ owner: inout CallFrameReader,
    _ reader: borrowing ByteReader
  ) throws(ParseError) {
    guard let number = UInt8(exactly: owner.section.number(of: register)),
      let offset = Int32(exactly: offset)
    else { throw reader.error(.unsupported("a CFA of register \(register) plus \(offset)")) }
    owner.row.head.cfa = .register(number, offset: offset)
    isChanged = true
  }

  private mutating func setCFA(
    offset: Int64, _ owner: inout CallFrameReader, _ reader: borrowing ByteReader
  ) throws(ParseError) {
    guard case .register(let register, _) = owner.row.head.cfa, let offset = Int32(exactly: offset)
    else { throw reader.error(.invalid("a new offset \(offset) of a CFA")) }
    owner.row.head.cfa = .register(register, offset: offset)
    isChanged = true
  }

  @_lifetime(reader: copy reader)
  private mutating func expression<Output: CallFrameOutput & ~Copyable>(
    _ reader: inout ByteReader, _ owner: borrowing CallFrameReader, depth: Int,
    _ output: inout Output
  ) throws(ParseError) -> UInt32 {
    let count = try reader.readULEB128()
    guard count <= UInt64(reader.remaining) else {
      throw reader.error(.invalid("an expression of \(count) bytes"))
    }
    let start = reader.position
    let bytes = try reader.readBytes(Int(count))
    var checker = ExpressionReader(
      addressSize: common.addressSize, endianness: owner.section.endianness, depth: depth)
    return output.addExpression(try checker.read(bytes, base: start))
  }

  // MARK: States

  private mutating func restore(
    _ register: UInt64, _ owner: inout CallFrameReader, _ reader: borrowing ByteReader
  ) throws(ParseError) {
    guard !isCommon, let number = UInt16(exactly: owner.section.number(of: register)) else {
      throw reader.error(.invalid("register \(register) has no first rule"))
    }
    isChanged = true
    for index in common.rules where owner.commonRules[index].register == number {
      _ = owner.row.set(owner.commonRules[index])
      return
    }
    owner.row.remove(number)
  }

  private func remember(
    _ reader: borrowing ByteReader, _ owner: inout CallFrameReader
  ) throws(ParseError) {
    guard owner.states.count < CallFrameLimits.rememberedStates else {
      throw reader.error(
        .limit(name: "remembered states", value: CallFrameLimits.rememberedStates))
    }
    owner.states.append(
      CallFrameReader.State(head: owner.row.head, ruleCount: owner.row.rules.count))
    owner.row.save(to: &owner.stateRules)
  }

  private mutating func restoreState(
    _ reader: borrowing ByteReader, _ owner: inout CallFrameReader
  ) throws(ParseError) {
    guard let state = owner.states.last else {
      throw reader.error(.invalid("no state was remembered"))
    }
    owner.states.removeLast()
    let start = owner.stateRules.count - state.ruleCount
    owner.row.restore(state.head, owner.stateRules, start..<owner.stateRules.count)
    owner.stateRules.truncate(to: start)
    isChanged = true
  }
}
