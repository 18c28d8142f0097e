internal import Identifiers

/// A text that no description, dump or error shows.
struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  let text: String

  init(_ text: String) { self.text = text }

  var description: String { "(secret)" }
  var debugDescription: String { "(secret)" }
  var customMirror: Mirror { Mirror(self, children: []) }
}

/// Keys by which requests are signed.
public struct ObjectCredentials: Sendable, CustomStringConvertible {
  public let accessKeyID: String
  let secretAccessKey: Secret
  let sessionToken: Secret?
  /// The time from which they are no longer accepted; `nil` for none.
  let expiry: Timestamp?
  /// Where they were found: `the environment`.
  public let source: String

  public init(
    accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil,
    source: String = "the caller"
  ) {
    self.init(accessKeyID, secretAccessKey, sessionToken, expiry: nil, source: source)
  }

  init(
    _ accessKeyID: String, _ secretAccessKey: String, _ sessionToken: String?,
    expiry: Timestamp?, source: String
  ) {
    self.accessKeyID = accessKeyID
    self.secretAccessKey = Secret(secretAccessKey)
    self.sessionToken = sessionToken.flatMap { $0.isEmpty ? nil : Secret($0) }
    self.expiry = expiry
    self.source = source
  }

  /// Without any secret.
  public var description: String { "credentials from \(source)" }

  /// Whether all of them can stand in a header: a line break would begin another one.
  var isPrintable: Bool {
    [accessKeyID, secretAccessKey.text, sessionToken?.text ?? "x"].allSatisfy {
      !$0.isEmpty && $0.utf8.allSatisfy { (0x21...0x7e).contains($0) }
    }
  }
}
