/// A submission as it is stored: its bytes, and the app that their reports belong to.
public struct StoredSubmission: Equatable, Sendable {
  /// The SHA-256 of its bytes.
  public let digest: [UInt8]
  public let app: String
}
