/// From an address on, up to the next segment: the innermost function or inlined call, `none` (all
/// ones) where there is none.
public struct CodeSegment: BitwiseCopyable, Sendable {
  public var start: UInt32
  public var scope: UInt32
}

/// From an address on, up to the next run: the symbol that names the code; a length of 0 where none
/// does.
public struct SymbolRange: BitwiseCopyable, Sendable {
  public var start: UInt32
  public var nameOffset: UInt32
  public var nameCount: UInt32
  /// Where the name of the source file begins, which a NUL ends; 0 where none is known.
  public var fileNameOffset: UInt32
}
