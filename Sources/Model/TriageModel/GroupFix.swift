public import Identifiers

/// The release from which on a resolved group should no longer occur.
public struct GroupFix: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// From this release on.
    case inRelease = "in"
    /// After this release, the newest in which the group had been seen.
    case after
    /// After this release, the newest that the app had.
    case next
    /// From the time of the decision on: no report of the group names a release.
    case time
  }

  public var kind: Kind
  /// `nil` for ``Kind/time``.
  public var release: Release?

  public init(_ kind: Kind, _ release: Release? = nil) {
    self.kind = kind
    self.release = release
  }

  /// The text that follows `resolved`: `in 1.5.0`, `after 1.4.0 (512)`.
  public var words: String {
    let name = release?.name ?? ""
    return switch kind {
    case .inRelease: "in \(name)"
    case .after: "after \(name), the newest release it was seen in"
    case .next: "in the next release after \(name)"
    case .time: "from then on, since no report has a version"
    }
  }
}
