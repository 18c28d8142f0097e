/// The kind of a subsection after the symbols of a module.
///
/// Source: DEBUG_S_SUBSECTION_TYPE in Microsoft's cvinfo.h.
struct LineSubsection: Equatable {
  let rawValue: UInt32

  static var lines: Self { Self(rawValue: 0xf2) }
  static var fileChecksums: Self { Self(rawValue: 0xf4) }
  static var inlineeLines: Self { Self(rawValue: 0xf6) }
  static var crossModuleImports: Self { Self(rawValue: 0xf7) }
  static var crossModuleExports: Self { Self(rawValue: 0xf8) }
}
