public import Bytes

/// A name that stays where it is: a section and an offset into it, up to the next NUL.
///
/// Linkers merge equal strings, so equal references are the rule for equal names; different
/// references may still name the same text.
public struct TextReference: BitwiseCopyable, Hashable, Sendable {
  public enum Section: UInt8, Sendable {
    case none = 0
    case info, strings, lineStrings, line
  }

  public let bits: UInt64

  init(_ section: Section, _ offset: Int) {
    bits = UInt64(section.rawValue) &<< 56 | UInt64(truncatingIfNeeded: offset) & (1 &<< 56 &- 1)
  }

  public static let none = TextReference(.none, 0)

  public var isNone: Bool { bits == 0 }
  public var section: Section { Section(rawValue: UInt8(bits &>> 56)) ?? .none }
  public var offset: Int { Int(bits & (1 &<< 56 &- 1)) }
}

extension DWARFSections {
  /// The section that holds the texts of `section`.
  public func view(of section: TextReference.Section) -> ByteView {
    switch section {
    case .none: .empty
    case .info: info
    case .strings: strings
    case .lineStrings: lineStrings
    case .line: line
    }
  }
}
