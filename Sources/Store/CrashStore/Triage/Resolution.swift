public import CrashModel

/// Since when a group that is resolved now should be gone.
public enum Resolution: Hashable, Sendable {
  /// In what comes after the newest release in which it was seen.
  case afterNewestSeen
  /// In this release and all that follow.
  case inRelease(Release)
  /// In the release that follows the newest one of the app.
  case next
}
