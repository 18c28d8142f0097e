/// Why bytes could not be read: what was wrong, in which structure, and where.
///
/// Prints as one line for a person: `module list: 4 bytes needed at 0x1f40, 2 left`.
public struct ParseError: Error, Equatable, Sendable {
  /// The problem.
  public enum Kind: Equatable, Sendable {
    /// The structure needs `needed` bytes and only `left` are there.
    case truncated(needed: Int, left: Int)
    /// A range that the input names lies outside it: `offset + count` against `size`, in bytes.
    case outOfBounds(offset: UInt64, count: UInt64, size: Int)
    /// A value that the format does not allow, in words.
    case invalid(String)
    /// Valid, but of a version or kind that is not read here, in words.
    case unsupported(String)
    /// A named limit was reached.
    case limit(name: String, value: Int)
    /// The bytes are not of this format at all.
    case notRecognised
  }

  public let kind: Kind
  /// The structure that was being read, as its format names it.
  public let structure: String
  /// Where, in bytes from the start of the input (of the section where one is named).
  public let offset: Int

  @inline(never)
  public init(_ kind: Kind, in structure: String, at offset: Int) {
    self.kind = kind
    self.structure = structure
    self.offset = offset
  }
}

extension ParseError: CustomStringConvertible {
  public var description: String {
    let hex = offset.hexadecimal
    return switch kind {
    case .truncated(let needed, let left):
      "\(structure): \(needed) \(needed == 1 ? "byte" : "bytes") needed at \(hex), \(left) left"
    case .outOfBounds(let start, let count, let size):
      "\(structure): \(count) bytes at \(start.hexadecimal) named at \(hex)"
        + " lie outside the \(size) that are there"
    case .invalid(let what): "\(structure): \(what) at \(hex)"
    case .unsupported(let what): "\(structure): \(what) at \(hex) is not supported"
    case .limit(let name, let value): "\(structure): limit of \(value) \(name) reached at \(hex)"
    case .notRecognised: "\(structure): not recognised"
    }
  }
}

extension ParseError: UserFacingError {}
