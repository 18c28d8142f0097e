/// The operations of the expressions in a file of unwind rules: DWARF's, as far as they compute an
/// address from registers and memory, and a few that Breakpad's rules need.
///
/// An expression was checked when it was written: it ends, its stack never runs empty or grows past a
/// limit, its branches lead forward to an operation of the same expression, and one value is left on
/// top. Numbers have the size of an address and wrap.
///
/// Source: DWARF 5, sections 2.5 and 7.7.1.
public struct UnwindOperation: Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let address = UnwindOperation(rawValue: 0x03)
  public static let dereference = UnwindOperation(rawValue: 0x06)
  public static let constant1u = UnwindOperation(rawValue: 0x08)
  public static let constant1s = UnwindOperation(rawValue: 0x09)
  public static let constant2u = UnwindOperation(rawValue: 0x0a)
  public static let constant2s = UnwindOperation(rawValue: 0x0b)
  public static let constant4u = UnwindOperation(rawValue: 0x0c)
  public static let constant4s = UnwindOperation(rawValue: 0x0d)
  public static let constant8u = UnwindOperation(rawValue: 0x0e)
  public static let constant8s = UnwindOperation(rawValue: 0x0f)
  public static let constantU = UnwindOperation(rawValue: 0x10)
  public static let constantS = UnwindOperation(rawValue: 0x11)
  public static let duplicate = UnwindOperation(rawValue: 0x12)
  public static let drop = UnwindOperation(rawValue: 0x13)
  public static let over = UnwindOperation(rawValue: 0x14)
  public static let pick = UnwindOperation(rawValue: 0x15)
  public static let swap = UnwindOperation(rawValue: 0x16)
  public static let rotate = UnwindOperation(rawValue: 0x17)
  public static let absolute = UnwindOperation(rawValue: 0x19)
  public static let and = UnwindOperation(rawValue: 0x1a)
  public static let divide = UnwindOperation(rawValue: 0x1b)
  public static let minus = UnwindOperation(rawValue: 0x1c)
  public static let modulo = UnwindOperation(rawValue: 0x1d)
  public static let multiply = UnwindOperation(rawValue: 0x1e)
  public static let negate = UnwindOperation(rawValue: 0x1f)
  public static let not = UnwindOperation(rawValue: 0x20)
  public static let or = UnwindOperation(rawValue: 0x21)
  public static let plus = UnwindOperation(rawValue: 0x22)
  public static let plusConstant = UnwindOperation(rawValue: 0x23)
  public static let shiftLeft = UnwindOperation(rawValue: 0x24)
  public static let shiftRight = UnwindOperation(rawValue: 0x25)
  public static let shiftRightArithmetic = UnwindOperation(rawValue: 0x26)
  public static let exclusiveOr = UnwindOperation(rawValue: 0x27)
  public static let branch = UnwindOperation(rawValue: 0x28)
  public static let equal = UnwindOperation(rawValue: 0x29)
  public static let greaterOrEqual = UnwindOperation(rawValue: 0x2a)
  public static let greater = UnwindOperation(rawValue: 0x2b)
  public static let lessOrEqual = UnwindOperation(rawValue: 0x2c)
  public static let less = UnwindOperation(rawValue: 0x2d)
  public static let notEqual = UnwindOperation(rawValue: 0x2e)
  public static let skip = UnwindOperation(rawValue: 0x2f)
  /// The first of 32: the number itself.
  public static let literal0 = UnwindOperation(rawValue: 0x30)
  /// The first of 32: a register plus a signed LEB128 number.
  public static let baseRegister0 = UnwindOperation(rawValue: 0x70)
  /// A register (unsigned LEB128) plus a signed LEB128 number.
  public static let baseRegister = UnwindOperation(rawValue: 0x92)
  /// Reads so many bytes, a byte operand.
  public static let dereferenceSize = UnwindOperation(rawValue: 0x94)
  public static let nothing = UnwindOperation(rawValue: 0x96)
  /// Pushes the CFA.
  public static let frameAddress = UnwindOperation(rawValue: 0x9c)
  /// Division of numbers without a sign. Breakpad's `/`.
  public static let divideUnsigned = UnwindOperation(rawValue: 0xe0)
  /// The remainder of numbers without a sign. Breakpad's `%`.
  public static let moduloUnsigned = UnwindOperation(rawValue: 0xe1)
  /// Pushes how many bytes of parameters the function that was called takes off the stack; 0 in the
  /// youngest frame. Breakpad's `.cbCalleeParams`.
  public static let calleeParameterBytes = UnwindOperation(rawValue: 0xe2)

  static let names: [UInt8: String] = {
    var names: [UInt8: String] = [
      0x03: "addr", 0x06: "deref", 0x08: "const1u", 0x09: "const1s", 0x0a: "const2u",
      0x0b: "const2s", 0x0c: "const4u", 0x0d: "const4s", 0x0e: "const8u", 0x0f: "const8s",
      0x10: "constu", 0x11: "consts", 0x12: "dup", 0x13: "drop", 0x14: "over", 0x15: "pick",
      0x16: "swap", 0x17: "rot", 0x19: "abs", 0x1a: "and", 0x1b: "div", 0x1c: "minus",
      0x1d: "mod", 0x1e: "mul", 0x1f: "neg", 0x20: "not", 0x21: "or", 0x22: "plus",
      0x23: "plus_uconst", 0x24: "shl", 0x25: "shr", 0x26: "shra", 0x27: "xor", 0x28: "bra",
      0x29: "eq", 0x2a: "ge", 0x2b: "gt", 0x2c: "le", 0x2d: "lt", 0x2e: "ne", 0x2f: "skip",
      0x92: "bregx", 0x94: "deref_size", 0x96: "nop", 0x9c: "cfa", 0xe0: "udiv", 0xe1: "umod",
      0xe2: "callee_params",
    ]
    for number in 0..<UInt8(32) {
      names[0x30 + number] = "lit\(number)"
      names[0x70 + number] = "breg\(number)"
    }
    return names
  }()
}
