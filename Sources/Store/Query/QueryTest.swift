public import Identifiers

/// The test of a condition on a value.
public enum QueryTest: Sendable, Hashable {
  case text(TextPattern)
  case version(Bounds<OrderedVersion>)
  case number(Bounds<Double>)
  case time(Bounds<Timestamp>)
  /// An exact comparison.
  case exact(String)
  /// The report has no value.
  case absent

  /// - Parameter value: A value that is not empty.
  public func matches(_ value: String) -> Bool {
    switch self {
    case .text(let pattern): pattern.matches(value)
    case .version(let bounds): bounds.contains(OrderedVersion(value))
    case .exact(let text): text == value
    case .number, .time, .absent: false
    }
  }

  public func matches(_ value: Double) -> Bool {
    if case .number(let bounds) = self { bounds.contains(value) } else { false }
  }

  public func matches(_ value: Timestamp) -> Bool {
    if case .time(let bounds) = self { bounds.contains(value) } else { false }
  }
}
