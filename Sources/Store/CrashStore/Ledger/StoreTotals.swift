/// How much a store holds.
public struct StoreTotals: Equatable, Sendable {
  public var submissions = 0
  /// Reports that are still there.
  public var reports = 0
  public var groups = 0
  /// Reports that the groups count; those that were removed since are among them.
  public var counted = 0
}
