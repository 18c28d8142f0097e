internal import Bytes

/// Submissions that are still to be stored, and the bytes of their bodies.
public struct Backlog: Equatable, Sendable {
  public var count = 0
  public var bytes = 0

  public init(count: Int = 0, bytes: Int = 0) {
    self.count = count
    self.bytes = bytes
  }

  /// Clamped, as rows that were tampered with may contain any number.
  static func + (first: Backlog, second: Backlog) -> Backlog {
    Backlog(
      count: first.count.addingClamped(second.count), bytes: first.bytes.addingClamped(second.bytes)
    )
  }

  public static func += (first: inout Backlog, second: Backlog) { first = first + second }

  static func -= (first: inout Backlog, second: Backlog) {
    first = Backlog(
      count: first.count.subtractingClamped(second.count),
      bytes: first.bytes.subtractingClamped(second.bytes))
  }
}
