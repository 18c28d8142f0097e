internal import Bytes

/// The opcodes that take a frame of 32-bit Arm down; `vsp` is the stack pointer on the way.
///
///     00xxxxxx           vsp = vsp + (x << 2) + 4
///     01xxxxxx           vsp = vsp - (x << 2) - 4
///     10000000 00000000  the function cannot be unwound
///     1000iiii iiiiiiii  pop r15 to r4, a bit for each
///     1001nnnn           vsp = r[n]; not 13, 15
///     10100nnn           pop r4 to r[4+n]
///     10101nnn           pop r4 to r[4+n], r14
///     10110000           the end
///     10110001 0000iiii  pop r3 to r0, a bit for each; not 0
///     10110010 uleb128   vsp = vsp + 0x204 + (uleb128 << 2)
///     10110011 sssscccc  pop d[s] to d[s+c] as of FSTMFDX, which leaves a word more
///     10110100           pop the authentication code of the return address
///     10110101           the return address was signed with vsp
///     10111nnn           pop d8 to d[8+n] as of FSTMFDX
///     11000nnn           pop wR10 to wR[10+n]; not 6, 7
///     11000110 sssscccc  pop wR[s] to wR[s+c]
///     11000111 0000iiii  pop wCGR3 to wCGR0, a bit for each; not 0
///     11001000 sssscccc  pop d[16+s] to d[16+s+c]
///     11001001 sssscccc  pop d[s] to d[s+c]
///     11010nnn           pop d8 to d[8+n]
///
/// Everything else is spare. Without a rule for r15, r14 is the return address.
///
/// Source: Arm, "Exception Handling ABI for the Arm Architecture", section 10.3.
struct ARMUnwindCodes {
  private static let stackPointer: UInt16 = 13
  private static let programCounter: UInt16 = 15
  /// The DWARF number of d0.
  private static let firstDouble: UInt16 = 256
  private static let lastDouble = 31

  private let codes: [UInt8]
  private var position = 0

  init(_ codes: [UInt8]) { self.codes = codes }

  /// - Returns: Whether the function can be unwound.
  consuming func apply(to undo: inout EpilogueSimulator) throws(ParseError) -> Bool {
    var codes = self
    while codes.position < codes.codes.count {
      switch try codes.step(&undo) {
      case .next: continue
      case .finish: return true
      case .refuse: return false
      }
    }
    return true
  }

  private enum Step { case next, finish, refuse }

  private mutating func step(_ undo: inout EpilogueSimulator) throws(ParseError) -> Step {
    let code = try next()
    let low = Int(code & 7)
    switch code {
    case 0x00...0x3f: undo.free(Int64(code & 0x3f) * 4 + 4)
    case 0x40...0x7f: undo.free(-Int64(code & 0x3f) * 4 - 4)
    case 0x80...0x8f:
      let mask = UInt32(code & 0x0f) << 8 | UInt32(try next())
      if mask == 0 { return .refuse }
      try pop(mask << 4, &undo)
    case 0x9d, 0x9f: throw spare(code)
    case 0x90...0x9f:
      guard !undo.hasRestored(UInt16(code & 0x0f)) else {
        throw error(.unsupported("a stack pointer from r\(code & 0x0f), which was popped,"))
      }
      undo.setStack(to: code & 0x0f, plus: 0)
    case 0xa0...0xa7: try pop(((2 << UInt32(low)) - 1) << 4, &undo)
    case 0xa8...0xaf: try pop(((2 << UInt32(low)) - 1) << 4 | 1 << 14, &undo)
    case 0xb0: return .finish
    case 0xb1:
      let mask = try next()
      guard mask != 0, mask < 16 else { throw spare(code) }
      try pop(UInt32(mask), &undo)
    case 0xb2:
      let words = try unsignedLEB()
      undo.free(0x204 + words * 4)
    case 0xb3:
      try popDoubles(try next(), from: 0, &undo)
      undo.free(4)
    case 0xb4: undo.free(4)
    case 0xb5: break
    case 0xb8...0xbf:
      try popDoubles(0x80 | UInt8(low), from: 0, &undo)
      undo.free(4)
    case 0xc0...0xc5: undo.free(Int64(low + 1) * 8)
    case 0xc6: undo.free(Int64(try next() & 0x0f) * 8 + 8)
    case 0xc7:
      let mask = try next()
      guard mask != 0, mask < 16 else { throw spare(code) }
      undo.free(Int64(mask.nonzeroBitCount) * 4)
    case 0xc8: try popDoubles(try next(), from: 16, &undo)
    case 0xc9: try popDoubles(try next(), from: 0, &undo)
    case 0xd0...0xd7: try popDoubles(0x80 | UInt8(low), from: 0, &undo)
    default: throw spare(code)
    }
    return .next
  }

  /// Takes the registers of a mask off the stack.
  private func pop(_ mask: UInt32, _ undo: inout EpilogueSimulator) throws(ParseError) {
    for register in UInt16(0)..<16 where mask & 1 << UInt32(register) != 0 {
      undo.restore(register, at: 0)
      undo.free(4)
    }
    guard mask & 1 << UInt32(Self.programCounter) != 0 else {
      guard mask & 1 << UInt32(Self.stackPointer) == 0 else {
        throw error(.unsupported("a popped stack pointer"))
      }
      return
    }
    undo.returnAddressRegister = UInt8(Self.programCounter)
    // Only the kernel saves both: for a signal handler.
    if mask & 1 << UInt32(Self.stackPointer) != 0 { undo.flags.insert(.signalFrame) }
  }

  /// - Parameter pair: The first in the high half, how many after it in the low one.
  private func popDoubles(
    _ pair: UInt8, from base: Int, _ undo: inout EpilogueSimulator
  ) throws(ParseError) {
    let first = base + Int(pair >> 4)
    let last = first + Int(pair & 0x0f)
    guard last <= Self.lastDouble else { throw error(.invalid("register d\(last)")) }
    for number in first...last {
      undo.restore(Self.firstDouble + UInt16(number), at: 0)
      undo.free(8)
    }
  }

  // MARK: Bytes

  private mutating func next() throws(ParseError) -> UInt8 {
    guard position < codes.count else { throw error(.invalid("an opcode that is cut off")) }
    position += 1
    return codes[position - 1]
  }

  private mutating func unsignedLEB() throws(ParseError) -> Int64 {
    var value: Int64 = 0
    for shift in stride(from: Int64(0), to: 28, by: 7) {
      let byte = try next()
      value |= Int64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
    }
    throw error(.invalid("the size of a frame"))
  }

  private func spare(_ code: UInt8) -> ParseError { error(.unsupported("opcode \(code)")) }

  private func error(_ kind: ParseError.Kind) -> ParseError {
    ParseError(kind, in: "unwind opcodes", at: position)
  }
}
