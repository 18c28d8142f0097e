public import Identifiers

/// The release from which a group that is resolved now should be fixed.
public enum Resolution: Hashable, Sendable {
  /// Any release after the newest one in which it was seen.
  case afterNewestSeen
  /// This release and all that follow.
  case inRelease(Release)
  /// The release after the newest one of the app.
  case next
}
