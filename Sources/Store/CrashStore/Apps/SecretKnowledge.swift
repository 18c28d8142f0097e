extension CrashStore {
  /// The state of a secret in a store.
  public enum SecretKnowledge: Sendable {
    /// It belongs to a named app.
    case named
    /// It belongs to an app that was created for it.
    case unnamed
    case none
  }
}
