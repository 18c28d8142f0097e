/// A value to bind to a parameter of a statement.
public enum SQLValue: Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

/// A type whose values can be bound to a parameter of a statement.
public protocol SQLBindable {
  var sqlValue: SQLValue { get }
}

extension SQLValue: SQLBindable {
  public var sqlValue: SQLValue { self }
}

extension Int: SQLBindable {
  public var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Int64: SQLBindable {
  public var sqlValue: SQLValue { .integer(self) }
}

extension Bool: SQLBindable {
  public var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

extension Double: SQLBindable {
  public var sqlValue: SQLValue { .real(self) }
}

extension String: SQLBindable {
  public var sqlValue: SQLValue { .text(self) }
}

extension [UInt8]: SQLBindable {
  public var sqlValue: SQLValue { .blob(self) }
}

extension Optional: SQLBindable where Wrapped: SQLBindable {
  public var sqlValue: SQLValue { self?.sqlValue ?? .null }
}
