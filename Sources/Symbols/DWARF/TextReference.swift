public import Bytes

/// A name that stays where it is: a file, a section and an offset into it, up to the next NUL.
///
/// Linkers merge equal strings, so equal references are the rule for equal names; different
/// references may still name the same text.
public struct TextReference: BitwiseCopyable, Hashable, Sendable {
  public enum Section: UInt8, Sendable {
    case none = 0
    case info, strings, lineStrings, line
    /// Names that the reader put together, see ``ScopedNames``.
    case scoped
  }

  public let bits: UInt64

  /// File (20 bits above the offset), section (8 above that), offset.
  private static let offsetBits: UInt64 = 36
  /// One more than the highest number of a file.
  static let files = 1 << 20

  init(_ section: Section, _ offset: Int, file: Int = 0) {
    bits =
      UInt64(section.rawValue) &<< 56
      | (UInt64(truncatingIfNeeded: file) & UInt64(Self.files &- 1)) &<< Self.offsetBits
      | UInt64(truncatingIfNeeded: offset) & (1 &<< Self.offsetBits &- 1)
  }

  public static let none = TextReference(.none, 0)

  public var isNone: Bool { bits == 0 }
  public var section: Section { Section(rawValue: UInt8(bits &>> 56)) ?? .none }
  public var offset: Int { Int(bits & (1 &<< Self.offsetBits &- 1)) }
  /// 0 for the object itself, else one of the files that it goes on in, from 1.
  public var file: Int { Int(bits &>> Self.offsetBits) & (Self.files &- 1) }
}

extension DWARFSections {
  /// The section that holds `text`, here or in the file that it names.
  public func view(of text: TextReference) -> ByteView {
    if text.file == 0 { return view(of: text.section) }
    return text.file <= others.count ? others[text.file - 1].view(of: text.section) : .empty
  }

  /// The section that holds the texts of `section`.
  public func view(of section: TextReference.Section) -> ByteView {
    switch section {
    case .none: .empty
    case .info: info
    case .strings: strings
    case .lineStrings: lineStrings
    case .line: line
    case .scoped: scopedNames
    }
  }
}
