/// Since which release a resolved group should be gone.
public struct GroupFix: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// In this release, and in all that follow.
    case inRelease = "in"
    /// In what follows this release, the newest in which the group had been seen.
    case after
    /// In what follows this release, the newest that the app had.
    case next
    /// From then on: no report of the group names a release.
    case time
  }

  public var kind: Kind
  /// `nil` for ``Kind/time``.
  public var release: Release?

  public init(_ kind: Kind, _ release: Release? = nil) {
    self.kind = kind
    self.release = release
  }

  /// What it says, to go on after `resolved`: `in 1.5.0`, `after 1.4.0 (512)`.
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
