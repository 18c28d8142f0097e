public import Bytes

/// The debug information about an image's code, in tables that refer to each other by
/// index. Addresses are offsets from the image base; `none` is all ones.
public struct CodeTables: ~Copyable, Sendable {
  public internal(set) var functions = Table<FunctionRecord>()
  public internal(set) var scopes = Table<ScopeRecord>()
  /// In the order of the entries: a range of an inlined call follows those around it.
  public internal(set) var codeRanges = Table<CodeRange>()
  public internal(set) var sequences = Table<LineSequence>()
  public internal(set) var rows = Table<LineRow>()
  public internal(set) var files = FileTable()
  /// Names that the file does not contain in one piece.
  public internal(set) var scopedNames = ScopedNames()
  /// The first scope of each unit that has any.
  public internal(set) var unitScopes = Table<UInt32>()
  public internal(set) var notes = ParseNotes()
  /// Units whose functions are in another file (split DWARF) that is missing.
  public internal(set) var skeletonCount = 0
  public internal(set) var unitCount = 0

  init() {}

  /// The ranges of code, which the tables have no longer.
  public mutating func takeCodeRanges() -> Table<CodeRange> {
    var taken = Table<CodeRange>()
    swap(&taken, &codeRanges)
    return taken
  }

  public static var none: UInt32 { .max }
}

/// A function as declared; inlined calls share it.
public struct FunctionRecord: BitwiseCopyable, Sendable {
  /// The linkage name if there is one, or otherwise the plain one, in C++ with the namespaces and types
  /// around it.
  public var name: TextReference
  /// The file of the declaration: its index, from 1; 0 where unknown.
  public var file: UInt32
  /// 0 where unknown.
  public var line: UInt32
}

/// A function with code, or an inlined call.
public struct ScopeRecord: BitwiseCopyable, Sendable {
  public var function: UInt32
  /// The scope that it was inlined into; `none` for a function.
  public var parent: UInt32
  /// For an inlined call the file of the call, from 1; for a function the offset of its entry.
  public var callFileOrEntry: UInt32
  public var callLine: UInt32
  public var callColumn: UInt32
}

/// Code that belongs to a scope.
public struct CodeRange: BitwiseCopyable, Sendable {
  public var start: UInt32
  /// Exclusive.
  public var end: UInt32
  public var scope: UInt32

  public init(start: UInt32, end: UInt32, scope: UInt32) {
    self.start = start
    self.end = end
    self.scope = scope
  }
}

/// A range of code with line rows, sorted by address, without gaps.
public struct LineSequence: BitwiseCopyable, Sendable {
  public var start: UInt32
  /// Exclusive.
  public var end: UInt32
  public var firstRow: UInt32
  public var rowCount: UInt32
}

/// The source location of the code from an address on.
public struct LineRow: BitwiseCopyable, Sendable {
  public var address: UInt32
  private var low: UInt32
  private var high: UInt32

  /// File (22 bits, from 1; 0 where unknown), line (26) and column (16), so that equal locations
  /// are equal numbers.
  public var location: UInt64 { UInt64(high) &<< 32 | UInt64(low) }

  init(address: UInt32, location: UInt64) {
    self.address = address
    low = UInt32(truncatingIfNeeded: location)
    high = UInt32(truncatingIfNeeded: location &>> 32)
  }

  /// A location that no row has.
  static let noLocation = UInt64.max

  static func location(file: UInt32, line: UInt64, column: UInt64) -> UInt64 {
    if file == 0 { return 0 }
    return UInt64(file) &<< 42 | min(line, 0x3ff_fffe) &<< 16 | column & 0xffff
  }

  var file: UInt32 { UInt32(truncatingIfNeeded: location &>> 42) }

  /// The same location in the file with another number.
  func inFile(_ file: UInt32) -> LineRow {
    let rest: UInt64 = 1 &<< 42 &- 1
    return LineRow(
      address: address, location: file == 0 ? 0 : UInt64(file) &<< 42 | location & rest)
  }
}

/// Damage found while reading, as text for the user, up to a limit.
public struct ParseNotes: Sendable {
  public private(set) var lines: [String] = []
  /// Including rows that are not in ``lines``.
  public private(set) var count = 0

  mutating func add(_ line: @autoclosure () -> String, limit: Int) {
    count += 1
    if lines.count < limit { lines.append(line()) }
  }

  /// Adds the notes of `other` from one number to another.
  mutating func add(_ other: ParseNotes, from start: Int, to end: Int, limit: Int) {
    count += end - start
    let known = other.lines.count
    lines += other.lines[min(start, known)..<min(end, known)].prefix(max(limit - lines.count, 0))
  }
}
