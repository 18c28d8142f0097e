internal import Identifiers

/// A range between two values; each end may be open.
public struct Bounds<Value: Comparable & Hashable & Sendable>: Sendable, Hashable {
  public struct End: Sendable, Hashable {
    public var value: Value
    public var isIncluded: Bool
  }

  public var lower: End?
  public var upper: End?

  init(lower: End? = nil, upper: End? = nil) {
    self.lower = lower
    self.upper = upper
  }

  init(_ comparison: ComparisonOperator, _ value: Value) {
    switch comparison {
    case .above: self.init(lower: End(value: value, isIncluded: false))
    case .atLeast: self.init(lower: End(value: value, isIncluded: true))
    case .below: self.init(upper: End(value: value, isIncluded: false))
    case .atMost: self.init(upper: End(value: value, isIncluded: true))
    }
  }

  public func contains(_ value: Value) -> Bool {
    if let lower, value < lower.value || value == lower.value && !lower.isIncluded { return false }
    if let upper, value > upper.value || value == upper.value && !upper.isIncluded { return false }
    return true
  }
}

/// The operators before a value of an ordered kind.
enum ComparisonOperator: String, CaseIterable {
  // The longer ones come first, so that they are matched as a whole.
  case atLeast = ">="
  case atMost = "<="
  case above = ">"
  case below = "<"
}

/// A version with the ordering of versions.
public struct OrderedVersion: Sendable, Hashable, Comparable {
  public let text: String

  init(_ text: String) { self.text = text }

  /// Whether neither sorts before the other.
  public static func == (left: OrderedVersion, right: OrderedVersion) -> Bool {
    VersionOrder.compare(left.text, right.text) == 0
  }

  public static func < (left: OrderedVersion, right: OrderedVersion) -> Bool {
    VersionOrder.compare(left.text, right.text) < 0
  }

  // Versions with different spellings may be equal.
  public func hash(into hasher: inout Hasher) {}
}
