/// A step of the annotations of an inlined call.
///
/// Source: BinaryAnnotationOpcode in Microsoft's cvinfo.h.
struct InlineOpcode: Equatable {
  let rawValue: UInt32

  static var invalid: Self { Self(rawValue: 0) }
  static var codeOffset: Self { Self(rawValue: 1) }
  static var changeCodeOffset: Self { Self(rawValue: 3) }
  static var changeCodeLength: Self { Self(rawValue: 4) }
  static var changeFile: Self { Self(rawValue: 5) }
  static var changeLineOffset: Self { Self(rawValue: 6) }
  static var changeCodeOffsetAndLineOffset: Self { Self(rawValue: 11) }
  static var changeCodeLengthAndCodeOffset: Self { Self(rawValue: 12) }
  /// The last that is known.
  static var changeColumnEnd: Self { Self(rawValue: 13) }
}
