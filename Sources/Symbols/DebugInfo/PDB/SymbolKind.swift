/// The kind of a symbol record of a module.
///
/// Source: SYM_ENUM_e in Microsoft's cvinfo.h.
struct SymbolKind: Equatable {
  let rawValue: UInt16

  static var end: Self { Self(rawValue: 0x0006) }
  static var thunk: Self { Self(rawValue: 0x1102) }
  static var block: Self { Self(rawValue: 0x1103) }
  static var with: Self { Self(rawValue: 0x1104) }
  static var localFunction: Self { Self(rawValue: 0x110f) }
  static var globalFunction: Self { Self(rawValue: 0x1110) }
  static var compile2: Self { Self(rawValue: 0x1116) }
  static var globalManagedFunction: Self { Self(rawValue: 0x112a) }
  static var localManagedFunction: Self { Self(rawValue: 0x112b) }
  static var separatedCode: Self { Self(rawValue: 0x1132) }
  static var compile3: Self { Self(rawValue: 0x113c) }
  static var localFunctionByID: Self { Self(rawValue: 0x1146) }
  static var globalFunctionByID: Self { Self(rawValue: 0x1147) }
  static var inlineSite: Self { Self(rawValue: 0x114d) }
  static var inlineSiteEnd: Self { Self(rawValue: 0x114e) }
  static var functionIDEnd: Self { Self(rawValue: 0x114f) }
  static var localDPCFunction: Self { Self(rawValue: 0x1155) }
  static var localDPCFunctionByID: Self { Self(rawValue: 0x1156) }
  static var inlineSite2: Self { Self(rawValue: 0x115d) }
}
