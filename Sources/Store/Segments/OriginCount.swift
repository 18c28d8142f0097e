/// The rows of an origin that were found.
public struct OriginCount: Hashable, Sendable {
  public let origin: Int
  /// At least 1.
  public let count: Int
  /// The least and the greatest time, in microseconds since 1970.
  public let first: Int
  public let last: Int

  public init(origin: Int, count: Int, first: Int, last: Int) {
    self.origin = origin
    self.count = count
    self.first = first
    self.last = last
  }
}
