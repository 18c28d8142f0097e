/// The kind of a type record, or of a number of more than two bytes in one.
///
/// Source: LEAF_ENUM_e in Microsoft's cvinfo.h.
struct TypeLeaf: Equatable {
  let rawValue: UInt16

  static var `class`: Self { Self(rawValue: 0x1504) }
  static var structure: Self { Self(rawValue: 0x1505) }
  static var union: Self { Self(rawValue: 0x1506) }
  static var enumeration: Self { Self(rawValue: 0x1507) }
  static var interface: Self { Self(rawValue: 0x1519) }
  /// The name of a function, of a member, and text of theirs.
  static var functionID: Self { Self(rawValue: 0x1601) }
  static var memberFunctionID: Self { Self(rawValue: 0x1602) }
  static var stringID: Self { Self(rawValue: 0x1605) }

  /// The first of the kinds of numbers; two bytes below it are the number itself.
  static var signed1: Self { Self(rawValue: 0x8000) }
  static var signed2: Self { Self(rawValue: 0x8001) }
  static var unsigned2: Self { Self(rawValue: 0x8002) }
  static var signed4: Self { Self(rawValue: 0x8003) }
  static var unsigned4: Self { Self(rawValue: 0x8004) }
  static var signed8: Self { Self(rawValue: 0x8009) }
  static var unsigned8: Self { Self(rawValue: 0x800a) }
}
