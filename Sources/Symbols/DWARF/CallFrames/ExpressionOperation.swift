/// An operation of an expression that computes an address from registers and memory. Numbers have the
/// size of an address and wrap.
///
/// Source: DWARF 5, sections 2.5 and 7.7.1.
public struct ExpressionOperation: Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static var address: Self { Self(rawValue: 0x03) }
  public static var dereference: Self { Self(rawValue: 0x06) }
  public static var constant1u: Self { Self(rawValue: 0x08) }
  public static var constant1s: Self { Self(rawValue: 0x09) }
  public static var constant2u: Self { Self(rawValue: 0x0a) }
  public static var constant2s: Self { Self(rawValue: 0x0b) }
  public static var constant4u: Self { Self(rawValue: 0x0c) }
  public static var constant4s: Self { Self(rawValue: 0x0d) }
  public static var constant8u: Self { Self(rawValue: 0x0e) }
  public static var constant8s: Self { Self(rawValue: 0x0f) }
  public static var constantU: Self { Self(rawValue: 0x10) }
  public static var constantS: Self { Self(rawValue: 0x11) }
  public static var duplicate: Self { Self(rawValue: 0x12) }
  public static var drop: Self { Self(rawValue: 0x13) }
  public static var over: Self { Self(rawValue: 0x14) }
  public static var pick: Self { Self(rawValue: 0x15) }
  public static var swap: Self { Self(rawValue: 0x16) }
  public static var rotate: Self { Self(rawValue: 0x17) }
  public static var absolute: Self { Self(rawValue: 0x19) }
  public static var and: Self { Self(rawValue: 0x1a) }
  public static var divide: Self { Self(rawValue: 0x1b) }
  public static var minus: Self { Self(rawValue: 0x1c) }
  public static var modulo: Self { Self(rawValue: 0x1d) }
  public static var multiply: Self { Self(rawValue: 0x1e) }
  public static var negate: Self { Self(rawValue: 0x1f) }
  public static var not: Self { Self(rawValue: 0x20) }
  public static var or: Self { Self(rawValue: 0x21) }
  public static var plus: Self { Self(rawValue: 0x22) }
  public static var plusConstant: Self { Self(rawValue: 0x23) }
  public static var shiftLeft: Self { Self(rawValue: 0x24) }
  public static var shiftRight: Self { Self(rawValue: 0x25) }
  public static var shiftRightArithmetic: Self { Self(rawValue: 0x26) }
  public static var exclusiveOr: Self { Self(rawValue: 0x27) }
  public static var branch: Self { Self(rawValue: 0x28) }
  public static var equal: Self { Self(rawValue: 0x29) }
  public static var greaterOrEqual: Self { Self(rawValue: 0x2a) }
  public static var greater: Self { Self(rawValue: 0x2b) }
  public static var lessOrEqual: Self { Self(rawValue: 0x2c) }
  public static var less: Self { Self(rawValue: 0x2d) }
  public static var notEqual: Self { Self(rawValue: 0x2e) }
  public static var skip: Self { Self(rawValue: 0x2f) }
  /// The first of 32: the number itself.
  public static var literal0: Self { Self(rawValue: 0x30) }
  /// The first of 32: a register plus a signed LEB128 number.
  public static var baseRegister0: Self { Self(rawValue: 0x70) }
  /// A register (unsigned LEB128) plus a signed LEB128 number.
  public static var baseRegister: Self { Self(rawValue: 0x92) }
  /// Reads as many bytes as its one-byte operand says.
  public static var dereferenceSize: Self { Self(rawValue: 0x94) }
  public static var nothing: Self { Self(rawValue: 0x96) }
  /// Pushes the CFA.
  public static var frameAddress: Self { Self(rawValue: 0x9c) }

  /// Whether it is one of the 32 that push a number.
  package var isLiteral: Bool { (Self.literal0.rawValue...0x4f).contains(rawValue) }
  /// Whether it is one of the 32 that push a register plus a number.
  package var isBaseRegister: Bool { (Self.baseRegister0.rawValue...0x8f).contains(rawValue) }
}
