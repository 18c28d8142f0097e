/// The limits of a cross-check, whatever the file contains.
public struct ReferenceLimits: Sendable {
  /// The most address space of the child, in bytes.
  public var childBytes = 4 << 30
  /// The most processor time of the child, and the most time to wait for it.
  public var seconds = 300
  /// The most functions and inlined calls, ranges of code, and line rows that are taken from it.
  public var records = 64 << 20
  /// The most bytes of names and paths that are taken from it.
  public var nameBytes = 1 << 30
  /// The longest name or path.
  public var nameLength = 1 << 16
  /// How deep entries may lie in each other.
  public var depth = 1_024
  /// How often a name may be handed on to another entry.
  public var originHops = 32
  /// How many ranges of code may overlap.
  public var overlaps = 4_096
  /// Differences that are kept; the others are counted.
  public var differences = 10_000

  public init() {}
}
