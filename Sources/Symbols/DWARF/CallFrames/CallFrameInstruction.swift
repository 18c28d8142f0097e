/// An instruction of call frame information. The first three have their operand in the low six bits.
///
/// Source: DWARF 5, section 7.24; LSB Core 5.0, section 10.6.1, for the GNU instructions; the ABI of
/// the Arm 64-bit architecture (aadwarf64); LLVM for that of MIPS.
struct CallFrameInstruction: Equatable {
  let rawValue: UInt8

  /// The instruction without an operand in its low bits: ``advanceLocation``, ``offset``, ``restore``,
  /// or 0 for all others.
  var primary: Self { Self(rawValue: rawValue & 0xc0) }
  var operand: UInt64 { UInt64(rawValue & 0x3f) }

  static var advanceLocation: Self { Self(rawValue: 0x40) }
  static var offset: Self { Self(rawValue: 0x80) }
  static var restore: Self { Self(rawValue: 0xc0) }

  static var nothing: Self { Self(rawValue: 0x00) }
  static var setLocation: Self { Self(rawValue: 0x01) }
  static var advanceLocation1: Self { Self(rawValue: 0x02) }
  static var advanceLocation2: Self { Self(rawValue: 0x03) }
  static var advanceLocation4: Self { Self(rawValue: 0x04) }
  static var offsetExtended: Self { Self(rawValue: 0x05) }
  static var restoreExtended: Self { Self(rawValue: 0x06) }
  static var undefined: Self { Self(rawValue: 0x07) }
  static var sameValue: Self { Self(rawValue: 0x08) }
  static var register: Self { Self(rawValue: 0x09) }
  static var rememberState: Self { Self(rawValue: 0x0a) }
  static var restoreState: Self { Self(rawValue: 0x0b) }
  static var defineCFA: Self { Self(rawValue: 0x0c) }
  static var defineCFARegister: Self { Self(rawValue: 0x0d) }
  static var defineCFAOffset: Self { Self(rawValue: 0x0e) }
  static var defineCFAExpression: Self { Self(rawValue: 0x0f) }
  static var expression: Self { Self(rawValue: 0x10) }
  static var offsetExtendedSigned: Self { Self(rawValue: 0x11) }
  static var defineCFASigned: Self { Self(rawValue: 0x12) }
  static var defineCFAOffsetSigned: Self { Self(rawValue: 0x13) }
  static var valueOffset: Self { Self(rawValue: 0x14) }
  static var valueOffsetSigned: Self { Self(rawValue: 0x15) }
  static var valueExpression: Self { Self(rawValue: 0x16) }
  static var mipsAdvanceLocation8: Self { Self(rawValue: 0x1d) }
  static var arm64NegateReturnAddressStateWithPC: Self { Self(rawValue: 0x2c) }
  static var arm64NegateReturnAddressState: Self { Self(rawValue: 0x2d) }
  static var gnuArgumentsSize: Self { Self(rawValue: 0x2e) }
  static var gnuNegativeOffsetExtended: Self { Self(rawValue: 0x2f) }
}
