/// A standard opcode of a line number program. Special opcodes begin at the number that the header
/// says.
///
/// Source: DWARF 5, sections 6.2.5.2 and 7.22.
struct LineOpcode: Equatable {
  let rawValue: UInt8

  /// A length and an ``ExtendedLineOpcode`` follow.
  static var extended: Self { Self(rawValue: 0) }
  static var copy: Self { Self(rawValue: 0x01) }
  static var advancePC: Self { Self(rawValue: 0x02) }
  static var advanceLine: Self { Self(rawValue: 0x03) }
  static var setFile: Self { Self(rawValue: 0x04) }
  static var setColumn: Self { Self(rawValue: 0x05) }
  static var negateStatement: Self { Self(rawValue: 0x06) }
  static var setBasicBlock: Self { Self(rawValue: 0x07) }
  static var constantAdvancePC: Self { Self(rawValue: 0x08) }
  static var fixedAdvancePC: Self { Self(rawValue: 0x09) }
  static var setPrologueEnd: Self { Self(rawValue: 0x0a) }
  static var setEpilogueBegin: Self { Self(rawValue: 0x0b) }
  static var setISA: Self { Self(rawValue: 0x0c) }
}

/// Source: DWARF 5, sections 6.2.5.3 and 7.22; DWARF 4 for `defineFile`.
struct ExtendedLineOpcode: Equatable {
  let rawValue: UInt8

  static var endSequence: Self { Self(rawValue: 0x01) }
  static var setAddress: Self { Self(rawValue: 0x02) }
  static var defineFile: Self { Self(rawValue: 0x03) }
}

/// The meaning of a field in an entry for a file.
///
/// Source: DWARF 5, sections 6.2.4.1 and 7.22; LLVM for `source`.
struct LineContent: Equatable {
  let rawValue: UInt64

  static var path: Self { Self(rawValue: 0x01) }
  static var directoryIndex: Self { Self(rawValue: 0x02) }
  static var md5: Self { Self(rawValue: 0x05) }
  static var llvmSource: Self { Self(rawValue: 0x2001) }
}
