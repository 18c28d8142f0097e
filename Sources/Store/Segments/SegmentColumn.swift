/// A column of a segment, by the number that files store.
///
/// The caller chooses the numbers, which never change. Six columns have a meaning here: rows are sorted by
/// some of them, and counted by others.
public struct SegmentColumn: RawRepresentable, Hashable, Comparable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The row id of a report; 0 for what is left of a deleted one.
  public static let report = SegmentColumn(rawValue: 0)
  /// The group that reports belong to and are counted by.
  public static let origin = SegmentColumn(rawValue: 1)
  /// When the crash happened, in microseconds since 1970.
  public static let time = SegmentColumn(rawValue: 2)
  /// Eight bytes of a hash of the installation's id; 0 for none.
  public static let install = SegmentColumn(rawValue: 4)
  /// The set of names on the stack.
  public static let stack = SegmentColumn(rawValue: 6)
  /// The release of the app.
  public static let release = SegmentColumn(rawValue: 12)

  /// The columns that have a meaning, which each segment has.
  public static let required = [report, origin, time, install, stack, release]

  /// The columns by which rows are sorted; rows that are equal in them, by ``time`` and ``report``.
  public static let sorted = [origin, release, stack]

  public static func < (one: SegmentColumn, other: SegmentColumn) -> Bool {
    one.rawValue < other.rawValue
  }
}

/// The id of a column and how its values are stored.
public struct SegmentColumnDeclaration: Hashable, Sendable {
  /// How values are stored, and what is fast.
  public enum Kind: UInt8, Sendable {
    /// Values of which many rows share one: they are stored once, rows have their numbers.
    case code = 1
    /// Quantities and ids: times, hashes, rows of other tables.
    case number = 2
  }

  public let column: SegmentColumn
  public let kind: Kind

  public init(_ column: SegmentColumn, _ kind: Kind) {
    self.column = column
    self.kind = kind
  }
}
