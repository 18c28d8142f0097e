internal import Bytes
internal import XML

/// Documents of S3 are small: a list has 1,000 objects.
enum ServiceDocuments {
  static let longestList = 16 << 20
  static let longestError = 64 << 10

  static func root(_ bytes: [UInt8]) throws(ParseError) -> XMLElement {
    try XMLElement(
      parsing: ByteView(bytes),
      limits: XMLLimits(bytes: longestList, depth: 16, elements: 100_000, textBytes: longestList))
  }
}

/// A server's words about a failure.
///
/// Source: Amazon S3 API Reference, "Error responses".
struct RefusalDocument {
  private(set) var code: String?
  private(set) var message: String?
  /// The region in which the bucket is.
  private(set) var region: String?

  /// - Parameter document: Anything: servers in between have pages of their own.
  init(_ document: [UInt8]) {
    guard let root = try? ServiceDocuments.root(document), root.name == "Error" else { return }
    code = Self.cut(root.first("Code")?.text, 60)
    message = Self.cut(root.first("Message")?.text, 300)
    region = Self.cut(root.first("Region")?.text, 40)
  }

  private static func cut(_ text: String?, _ most: Int) -> String? {
    guard let text, !text.isEmpty else { return nil }
    guard text.utf8.count > most else { return text }
    // A character may be as long as it likes.
    return String(decoding: text.utf8.prefix(most), as: UTF8.self) + "..."
  }
}
