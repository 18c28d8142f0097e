/// A file that belongs to a report: a log, a screenshot. Its bytes are stored beside the report.
public struct Attachment: Hashable, Sendable {
  /// The display name; never a path.
  public var name: String
  /// The type detected from its bytes: `text/plain`, `image/png`.
  public var contentType: String
  /// In bytes.
  public var size: Int
  /// The SHA-256 of its bytes, in hexadecimal.
  public var digest: String

  public init(name: String, contentType: String, size: Int, digest: String) {
    self.name = name
    self.contentType = contentType
    self.size = size
    self.digest = digest
  }

  /// Whether its bytes are text in UTF-8.
  public var isText: Bool { contentType.hasPrefix("text/") || contentType == "application/json" }
}
