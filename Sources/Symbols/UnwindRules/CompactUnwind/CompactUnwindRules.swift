internal import Bytes
internal import Identifiers

/// Converts the encodings of compact unwind information into rules.
///
/// They describe a function between its first and its last instructions.
///
/// Source: mach-o/compact_unwind_encoding.h of LLVM's libunwind, which names the bits; the order of
/// saved registers as LLVM's AArch64AsmBackend and X86AsmBackend write them.
struct CompactUnwindRules {
  /// The meaning of an encoding on x86, 32 or 64 bits wide.
  private struct X86Mode: Equatable {
    let rawValue: UInt32

    static var frame: Self { Self(rawValue: 1) }
    static var frameless: Self { Self(rawValue: 2) }
    /// The size of the frame is in the code.
    static var framelessLarge: Self { Self(rawValue: 3) }
    static var dwarf: Self { Self(rawValue: 4) }
  }

  private struct ARM64Mode: Equatable {
    let rawValue: UInt32

    static var frameless: Self { Self(rawValue: 2) }
    static var dwarf: Self { Self(rawValue: 3) }
    static var frame: Self { Self(rawValue: 4) }
  }

  private let family: UnwindRegisters.Family

  /// - Throws: ``ParseError`` for an architecture whose encodings are not known.
  init(_ architecture: Architecture) throws(ParseError) {
    family = UnwindRegisters.family(of: architecture)
    guard family == .x86_64 || family == .i386 || family == .arm64 else {
      throw ParseError(
        .unsupported("compact unwind information of \(architecture.description)"),
        in: "unwind_info", at: 0)
    }
  }

  /// Sets the rules of `builder` to those of `encoding`.
  ///
  /// - Parameter code: The function, whose instructions may contain the size of the frame.
  /// - Returns: Whether there are any: none for code that cannot be unwound, and none where
  ///   `__eh_frame` has the rules.
  func setRules(
    of encoding: UInt32, in builder: inout UnwindBuilder, code: @autoclosure () -> ByteView
  ) throws(ParseError) -> Bool {
    let mode = encoding >> 24 & 0xf
    guard mode != 0 else { return false }
    builder.rules.clear()
    builder.rules.flags = .atCallsOnly
    if family == .arm64 { return try setARM64(encoding, mode: mode, &builder) }
    switch X86Mode(rawValue: mode) {
    case .frame: try setX86Frame(encoding, &builder)
    case .frameless:
      try setX86Frameless(encoding, size: Int(encoding >> 16 & 0xff) * wordSize, &builder)
    case .framelessLarge:
      var reader = ByteReader(code().bytes, reading: "code of a function")
      do throws(ParseError) {
        try reader.skip(Int(encoding >> 16 & 0xff))
        let size: UInt32 = try reader.read()
        try setX86Frameless(
          encoding, size: Int(size) + Int(encoding >> 13 & 7) * wordSize, &builder)
      } catch {
        throw invalid(encoding, "a frame whose size is in missing code")
      }
    case .dwarf: return false
    default: throw invalid(encoding, "mode \(mode)")
    }
    return true
  }

  private func invalid(_ encoding: UInt32, _ what: String) -> ParseError {
    ParseError(
      .unsupported("encoding \(encoding.hexadecimal), \(what),"), in: "unwind_info",
      at: 0)
  }

  private func save(
    _ register: UInt16, _ offset: Int, _ builder: inout UnwindBuilder
  ) throws(ParseError) {
    guard let offset = Int32(exactly: offset),
      builder.rules.set(register, UnwindFormat.RuleKind.offset, offset)
    else {
      throw ParseError(.invalid("a register at \(offset)"), in: "unwind_info", at: 0)
    }
  }

  // MARK: x86

  private var wordSize: Int { family == .i386 ? 4 : 8 }

  /// The registers by their numbers in encodings; the last is the frame pointer.
  private var savedRegisters: [UInt16] {
    // ebx ecx edx edi esi ebp; rbx r12 r13 r14 r15 rbp.
    family == .i386 ? [3, 1, 2, 7, 6, 5] : [3, 12, 13, 14, 15, 6]
  }
  private var framePointer: UInt8 { family == .i386 ? 5 : 6 }
  private var stackPointer: UInt8 { family == .i386 ? 4 : 7 }
  private var returnAddress: UInt8 { family == .i386 ? 8 : 16 }

  private func setReturnAddress(_ builder: inout UnwindBuilder) throws(ParseError) {
    builder.rules.setReturnAddressRegister(returnAddress)
    try save(UInt16(returnAddress), -wordSize, &builder)
  }

  private func setX86Frame(
    _ encoding: UInt32, _ builder: inout UnwindBuilder
  ) throws(ParseError) {
    builder.rules.setCFA(register: framePointer, offset: Int32(2 * wordSize))
    try setReturnAddress(&builder)
    try save(UInt16(framePointer), -2 * wordSize, &builder)
    let start = -2 * wordSize - Int(encoding >> 16 & 0xff) * wordSize
    for slot in 0..<5 {
      let number = Int(encoding >> UInt32(slot * 3) & 7)
      guard number != 0 else { continue }
      guard number < 6 else { throw invalid(encoding, "register \(number)") }
      try save(savedRegisters[number - 1], start + slot * wordSize, &builder)
    }
  }

  private func setX86Frameless(
    _ encoding: UInt32, size: Int, _ builder: inout UnwindBuilder
  ) throws(ParseError) {
    guard size >= wordSize, let offset = Int32(exactly: size) else {
      throw invalid(encoding, "a frame of \(size) bytes")
    }
    builder.rules.setCFA(register: stackPointer, offset: offset)
    try setReturnAddress(&builder)
    let count = Int(encoding >> 10 & 7)
    guard let registers = Self.permutation(encoding & 0x3ff, count: count) else {
      throw invalid(encoding, "\(count) registers")
    }
    for (index, number) in registers.enumerated() {
      try save(savedRegisters[number], -wordSize * (1 + count - index), &builder)
    }
  }

  /// The `count` of six registers that were saved, in the order of their slots, from the number of
  /// their permutation.
  static func permutation(_ number: UInt32, count: Int) -> [Int]? {
    guard count <= 6 else { return nil }
    // With six or five registers, the last digit is always 0: 6 * 5 * 4 * 3 * 2 arrangements.
    let digits = count == 6 ? 5 : count
    var rest = Int(number)
    var unused = Array(0..<6)
    var result: [Int] = []
    for position in 0..<digits {
      // The number of arrangements of the remaining slots.
      var weight = 1
      for next in (position + 1)..<max(digits, position + 1) { weight *= 6 - next }
      let digit = rest / weight
      rest %= weight
      guard digit < unused.count else { return nil }
      result.append(unused.remove(at: digit))
    }
    if count == 6 { result.append(unused.removeFirst()) }
    return result
  }

  // MARK: arm64

  /// The first registers of the pairs, by their bits: x19 to x27, and from bit 8 on d8 to d14,
  /// whose numbers are those of v8 to v14.
  private static let pairs: [(bit: UInt32, register: UInt16)] = [
    (0, 19), (1, 21), (2, 23), (3, 25), (4, 27), (8, 72), (9, 74), (10, 76), (11, 78),
  ]

  private func setARM64(
    _ encoding: UInt32, mode: UInt32, _ builder: inout UnwindBuilder
  ) throws(ParseError) -> Bool {
    var offset = -8
    builder.rules.setReturnAddressRegister(30)
    switch ARM64Mode(rawValue: mode) {
    case .frame:
      builder.rules.setCFA(register: 29, offset: 16)
      try save(29, -16, &builder)
      try save(30, -8, &builder)
      offset = -24
    case .frameless:
      builder.rules.setCFA(register: 31, offset: Int32(encoding >> 12 & 0xfff) * 16)
    case .dwarf: return false
    default: throw invalid(encoding, "mode \(mode)")
    }
    for pair in Self.pairs where encoding >> pair.bit & 1 == 1 {
      try save(pair.register, offset, &builder)
      try save(pair.register + 1, offset - 8, &builder)
      offset -= 16
    }
    return true
  }
}
