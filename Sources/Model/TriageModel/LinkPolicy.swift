public import CrashModel

/// The keys of an app that are linked by likeness, and so share a group.
public enum LinkPolicy: Hashable, Sendable {
  /// Keys linked by the built-in rules, which were measured not to join different bugs.
  case rules
  /// No keys, or besides those also keys of at least this likeness.
  case own(GroupLinking)

  /// The policy of an app for which none was set.
  public static let standard = LinkPolicy.rules

  /// Reads `on`, and the values of ``GroupLinking``: `off`, `0.70`.
  public init?(_ text: String) {
    if text == "on" {
      self = .rules
    } else if let own = GroupLinking(text) {
      self = .own(own)
    } else {
      return nil
    }
  }

  /// The spelling that ``init(_:)`` reads.
  public var text: String {
    switch self {
    case .rules: "on"
    case .own(let own): own.description
    }
  }
}
