/// The kind of an entry of a range list in `.debug_rnglists`.
///
/// Source: DWARF 5, sections 2.17.3 and 7.25.
struct RangeListEntry: Equatable {
  let rawValue: UInt8

  static var endOfList: Self { Self(rawValue: 0x00) }
  /// Indices into `.debug_addr` end in "x".
  static var baseAddressx: Self { Self(rawValue: 0x01) }
  static var startxEndx: Self { Self(rawValue: 0x02) }
  static var startxLength: Self { Self(rawValue: 0x03) }
  static var offsetPair: Self { Self(rawValue: 0x04) }
  static var baseAddress: Self { Self(rawValue: 0x05) }
  static var startEnd: Self { Self(rawValue: 0x06) }
  static var startLength: Self { Self(rawValue: 0x07) }
}
