internal import Bytes
internal import CrashModel

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

  /// Reads to the end of `reader` and adds the rows to the entry that is open in `builder`.
  @_lifetime(reader: copy reader)
  mutating func run(
    _ reader: inout ByteReader, _ owner: inout CallFrameReader, _ builder: inout UnwindBuilder
  ) throws(ParseError) {
    while !reader.isAtEnd {
      let code: UInt8 = try reader.read()
      let operand = UInt64(code & 0x3f)
      switch code & 0xc0 {
      case 0x40: try advance(operand, reader, &builder)
      case 0x80:
        let offset = try factored(try reader.readULEB128(), reader)
        try set(operand, UnwindFormat.Kind.offset, offset, owner, reader, &builder)
      case 0xc0: try restore(operand, owner, reader, &builder)
      default: try runExtended(code, &reader, &owner, &builder)
      }
    }
    try addRow(&builder)
  }

  @_lifetime(reader: copy reader)
  private mutating func runExtended(
    _ code: UInt8, _ reader: inout ByteReader, _ owner: inout CallFrameReader,
    _ builder: inout UnwindBuilder
  ) throws(ParseError) {
    typealias Kind = UnwindFormat.Kind
    switch code {
    case 0x00: break  // nop
    case 0x01:  // set_loc
      let encoding = PointerEncoding(common.addressEncoding)
      let address = try encoding.read(
        &reader, addressSize: common.addressSize, bases: owner.section.bases)
      let mask: UInt64 = common.addressSize == 4 ? 0xffff_ffff : .max
      try move(to: (address & mask) &- owner.section.imageBase, reader, &builder)
    case 0x02: try advance(UInt64(try reader.read(UInt8.self)), reader, &builder)
    case 0x03: try advance(UInt64(try reader.read(UInt16.self)), reader, &builder)
    case 0x04: try advance(UInt64(try reader.read(UInt32.self)), reader, &builder)
    case 0x05:  // offset_extended
      let register = try reader.readULEB128()
      let offset = try factored(try reader.readULEB128(), reader)
      try set(register, Kind.offset, offset, owner, reader, &builder)
    case 0x06: try restore(try reader.readULEB128(), owner, reader, &builder)
    case 0x07: try set(try reader.readULEB128(), Kind.undefined, 0, owner, reader, &builder)
    case 0x08: try set(try reader.readULEB128(), Kind.sameValue, 0, owner, reader, &builder)
    case 0x09:  // register
      let register = try reader.readULEB128()
      let other = owner.number(of: try reader.readULEB128())
      guard other <= UInt64(UInt16.max) else { throw reader.error(.invalid("register \(other)")) }
      try set(register, Kind.register, Int32(other), owner, reader, &builder)
    case 0x0a: try remember(reader, &owner, builder)
    case 0x0b: try restoreState(reader, &owner, &builder)
    case 0x0c:  // def_cfa
      let register = try reader.readULEB128()
      try setCFA(
        register, offset: Int64(clamping: try reader.readULEB128()), owner, reader, &builder)
    case 0x0d:  // def_cfa_register
      // The assembler for MIPS begins with it, and means an offset of 0.
      guard !builder.rules.isExpressionCFA else {
        throw reader.error(.invalid("a new register for a CFA that has none"))
      }
      try setCFA(
        try reader.readULEB128(), offset: Int64(builder.rules.cfaOffset), owner, reader, &builder)
    case 0x0e: try setCFA(offset: Int64(clamping: try reader.readULEB128()), reader, &builder)
    case 0x0f:  // def_cfa_expression
      builder.rules.setCFA(expression: try expression(&reader, owner, depth: 0, &builder))
      isChanged = true
    case 0x10, 0x16:  // expression, val_expression
      let register = try reader.readULEB128()
      let place = try expression(&reader, owner, depth: 1, &builder)
      try set(
        register, code == 0x10 ? Kind.expression : Kind.valueExpression,
        Int32(bitPattern: place), owner, reader, &builder)
    case 0x11:  // offset_extended_sf
      let register = try reader.readULEB128()
      let offset = try factored(try reader.readSLEB128(), reader)
      try set(register, Kind.offset, offset, owner, reader, &builder)
    case 0x12:  // def_cfa_sf
      let register = try reader.readULEB128()
      let offset = Int64(try factored(try reader.readSLEB128(), reader))
      try setCFA(register, offset: offset, owner, reader, &builder)
    case 0x13:  // def_cfa_offset_sf
      try setCFA(
        offset: Int64(try factored(try reader.readSLEB128(), reader)), reader, &builder)
    case 0x14:  // val_offset
      let register = try reader.readULEB128()
      let offset = try factored(try reader.readULEB128(), reader)
      try set(register, Kind.valueOffset, offset, owner, reader, &builder)
    case 0x15:  // val_offset_sf
      let register = try reader.readULEB128()
      let offset = try factored(try reader.readSLEB128(), reader)
      try set(register, Kind.valueOffset, offset, owner, reader, &builder)
    case 0x1d: try advance(try reader.read(UInt64.self), reader, &builder)  // MIPS_advance_loc8
    case 0x2c, 0x2d:  // AARCH64_negate_ra_state_with_pc, AARCH64_negate_ra_state
      guard owner.section.isARM64 else {
        throw reader.error(.unsupported("instruction \(code.hexadecimal)"))
      }
      builder.rules.flags.formSymmetricDifference(.signedReturnAddress)
      isChanged = true
    case 0x2e: _ = try reader.readULEB128()  // GNU_args_size: only for landing pads
    case 0x2f:  // GNU_negative_offset_extended
      let register = try reader.readULEB128()
      let offset = try factored(-Int64(clamping: try reader.readULEB128()), reader)
      try set(register, Kind.offset, offset, owner, reader, &builder)
    default: throw reader.error(.unsupported("instruction \(code.hexadecimal)"))
    }
  }

  // MARK: Addresses

  private mutating func advance(
    _ delta: UInt64, _ reader: borrowing ByteReader, _ builder: inout UnwindBuilder
  ) throws(ParseError) {
    let (distance, isLong) = delta.multipliedReportingOverflow(by: common.codeAlignment)
    let (next, overflow) = location.addingReportingOverflow(distance)
    guard !isLong, !overflow else { throw reader.error(.invalid("an advance by \(delta)")) }
    try move(to: next, reader, &builder)
  }

  private mutating func move(
    to next: UInt64, _ reader: borrowing ByteReader, _ builder: inout UnwindBuilder
  ) throws(ParseError) {
    guard !isCommon, next >= location else {
      throw reader.error(.invalid("a move to \(next.hexadecimal)"))
    }
    guard next > location else { return }
    try addRow(&builder)
    location = next
  }

  private mutating func addRow(_ builder: inout UnwindBuilder) throws(ParseError) {
    guard isChanged, !isCommon, location < UInt64(end) else { return }
    try builder.addRow(UInt32(location))
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
    _ register: UInt64, _ kind: UInt8, _ value: Int32, _ owner: borrowing CallFrameReader,
    _ reader: borrowing ByteReader, _ builder: inout UnwindBuilder
  ) throws(ParseError) {
    guard let number = UInt16(exactly: owner.number(of: register)) else {
      throw reader.error(.unsupported("register \(register)"))
    }
    guard builder.rules.set(number, kind, value) else {
      throw reader.error(.limit(name: "registers in a row", value: UnwindLimits.registers))
    }
    isChanged = true
  }

  private mutating func setCFA(
    _ register: UInt64, offset: Int64, _ owner: borrowing CallFrameReader,
    _ reader: borrowing ByteReader, _ builder: inout UnwindBuilder
  ) throws(ParseError) {
    guard let number = UInt8(exactly: owner.number(of: register)),
      let offset = Int32(exactly: offset)
    else { throw reader.error(.unsupported("a CFA of register \(register) plus \(offset)")) }
    builder.rules.setCFA(register: number, offset: offset)
    isChanged = true
  }

  private mutating func setCFA(
    offset: Int64, _ reader: borrowing ByteReader, _ builder: inout UnwindBuilder
  ) throws(ParseError) {
    guard builder.rules.isRegisterCFA, let offset = Int32(exactly: offset) else {
      throw reader.error(.invalid("a new offset \(offset) of a CFA"))
    }
    builder.rules.setCFA(register: builder.rules.cfaRegister, offset: offset)
    isChanged = true
  }

  @_lifetime(reader: copy reader)
  private mutating func expression(
    _ reader: inout ByteReader, _ owner: borrowing CallFrameReader, depth: Int,
    _ builder: inout UnwindBuilder
  ) throws(ParseError) -> UInt32 {
    let count = try reader.readULEB128()
    guard count <= UInt64(reader.remaining) else {
      throw reader.error(.invalid("an expression of \(count) bytes"))
    }
    let place = reader.position
    let bytes = try reader.readBytes(Int(count))
    var checker = ExpressionReader(
      addressSize: common.addressSize, endianness: owner.section.endianness, depth: depth)
    return builder.expressions.place(of: try checker.read(bytes, base: place))
  }

  // MARK: States

  private mutating func restore(
    _ register: UInt64, _ owner: borrowing CallFrameReader, _ reader: borrowing ByteReader,
    _ builder: inout UnwindBuilder
  ) throws(ParseError) {
    guard !isCommon, let number = UInt16(exactly: owner.number(of: register)) else {
      throw reader.error(.invalid("register \(register) has no first rule"))
    }
    isChanged = true
    // The first word is no rule.
    for index in common.rules.dropFirst() {
      let word = owner.commonRules[index]
      if UInt16(truncatingIfNeeded: word) == number {
        _ = builder.rules.set(word)
        return
      }
    }
    builder.rules.remove(number)
  }

  private func remember(
    _ reader: borrowing ByteReader, _ owner: inout CallFrameReader,
    _ builder: borrowing UnwindBuilder
  ) throws(ParseError) {
    guard owner.stackCounts.count < UnwindLimits.rememberedStates else {
      throw reader.error(
        .limit(name: "remembered states", value: UnwindLimits.rememberedStates))
    }
    owner.stack.append(contentsOf: builder.rules.words.span)
    owner.stackCounts.append(builder.rules.words.count)
  }

  private mutating func restoreState(
    _ reader: borrowing ByteReader, _ owner: inout CallFrameReader,
    _ builder: inout UnwindBuilder
  ) throws(ParseError) {
    guard let count = owner.stackCounts.last else {
      throw reader.error(.invalid("no state was remembered"))
    }
    owner.stackCounts.removeLast()
    let start = owner.stack.count - count
    builder.rules.restore(owner.stack.span.extracting(start..<owner.stack.count))
    owner.stack.truncate(to: start)
    isChanged = true
  }
}

extension CallFrameReader {
  /// The number of a register by the program's own numbering.
  func number(of register: UInt64) -> UInt64 {
    section.swapsFrameRegisters && (register == 4 || register == 5) ? 9 - register : register
  }
}

extension CallFrameSection {
  var isARM64: Bool {
    architecture == .arm64 || architecture == .arm64e || architecture == .arm64_32
  }
}
