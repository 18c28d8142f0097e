/// The totals of a store.
public struct StoreTotals: Equatable, Sendable {
  public var submissions = 0
  /// Reports that are still stored.
  public var reports = 0
  public var groups = 0
  /// Reports that the groups count, including those that were removed since.
  public var counted = 0
}
