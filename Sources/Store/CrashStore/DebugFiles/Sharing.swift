extension CrashStore {
  /// Who may use the debug files of an app.
  public enum Sharing: String, Sendable, CaseIterable {
    case shared
    case perApp = "per-app"
  }
}
