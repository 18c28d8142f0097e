public import DWARF

/// Besides DWARF's operations, the expressions in a file of unwind rules have a few that Breakpad's rules
/// need.
///
/// An expression was checked when it was written: it ends, its stack never runs empty or grows past a
/// limit, its branches lead forward to an operation of the same expression, and one value is left on
/// top.
extension ExpressionOperation {
  /// Division of numbers without a sign. Breakpad's `/`.
  public static var divideUnsigned: Self { Self(rawValue: 0xe0) }
  /// The remainder of numbers without a sign. Breakpad's `%`.
  public static var moduloUnsigned: Self { Self(rawValue: 0xe1) }
  /// Pushes how many bytes of parameters the function that was called takes off the stack; 0 in the
  /// youngest frame. Breakpad's `.cbCalleeParams`.
  public static var calleeParameterBytes: Self { Self(rawValue: 0xe2) }

  static let names: [ExpressionOperation: String] = {
    var names: [ExpressionOperation: String] = [
      .address: "addr", .dereference: "deref", .constant1u: "const1u", .constant1s: "const1s",
      .constant2u: "const2u", .constant2s: "const2s", .constant4u: "const4u",
      .constant4s: "const4s", .constant8u: "const8u", .constant8s: "const8s",
      .constantU: "constu", .constantS: "consts", .duplicate: "dup", .drop: "drop",
      .over: "over", .pick: "pick", .swap: "swap", .rotate: "rot", .absolute: "abs", .and: "and",
      .divide: "div", .minus: "minus", .modulo: "mod", .multiply: "mul", .negate: "neg",
      .not: "not", .or: "or", .plus: "plus", .plusConstant: "plus_uconst", .shiftLeft: "shl",
      .shiftRight: "shr", .shiftRightArithmetic: "shra", .exclusiveOr: "xor", .branch: "bra",
      .equal: "eq", .greaterOrEqual: "ge", .greater: "gt", .lessOrEqual: "le", .less: "lt",
      .notEqual: "ne", .skip: "skip", .baseRegister: "bregx", .dereferenceSize: "deref_size",
      .nothing: "nop", .frameAddress: "cfa", .divideUnsigned: "udiv", .moduloUnsigned: "umod",
      .calleeParameterBytes: "callee_params",
    ]
    for number in 0..<UInt8(32) {
      names[Self(rawValue: literal0.rawValue + number)] = "lit\(number)"
      names[Self(rawValue: baseRegister0.rawValue + number)] = "breg\(number)"
    }
    return names
  }()
}
