/// Which keys of an app are linked by likeness, and so share a group.
public enum LinkPolicy: Hashable, Sendable {
  /// Those for which a rule holds that was measured to bring no different bugs together.
  case rules
  /// None, or besides those also the ones that are at least so alike.
  case own(GroupLinking)

  /// That of an app for which nobody set another.
  public static let standard = LinkPolicy.rules

  /// Reads `on`, and what ``GroupLinking`` reads: `off`, `0.70`.
  public init?(_ text: String) {
    if text == "on" {
      self = .rules
    } else if let own = GroupLinking(text) {
      self = .own(own)
    } else {
      return nil
    }
  }

  /// What ``init(_:)`` reads.
  public var text: String {
    switch self {
    case .rules: "on"
    case .own(let own): own.description
    }
  }
}
