/// The number of a row of a table, such as `RowID<Group>`: that of another table does not fit.
public struct RowID<Row>: Hashable, Comparable, Sendable {
  public let rawValue: Int

  public init(_ rawValue: Int) { self.rawValue = rawValue }

  public static func < (left: RowID, right: RowID) -> Bool { left.rawValue < right.rawValue }
}

extension RowID: SQLBindable {
  public var sqlValue: SQLValue { .integer(Int64(rawValue)) }
}

extension RowID: CustomStringConvertible {
  public var description: String { String(rawValue) }
}
