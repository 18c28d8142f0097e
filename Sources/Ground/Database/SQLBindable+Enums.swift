/// An enum of numbers or texts is stored as its raw value: declaring the conformance is enough.
extension SQLBindable where Self: RawRepresentable, RawValue: SQLBindable {
  public var sqlValue: SQLValue { rawValue.sqlValue }
}
