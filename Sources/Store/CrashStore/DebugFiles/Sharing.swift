extension CrashStore {
  /// The sharing of debug files between apps.
  public enum Sharing: String, Sendable, CaseIterable {
    case shared
    case perApp = "per-app"
  }
}
