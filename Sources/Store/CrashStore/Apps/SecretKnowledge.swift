extension CrashStore {
  /// What a store knows of a secret.
  public enum SecretKnowledge: Sendable {
    /// Somebody gave it to an app.
    case named
    /// An app was made for it.
    case unnamed
    case none
  }
}
