public import Bytes
public import CrashModel
internal import Crypto
public import Identifiers

/// A file for a report, ready to be written: digest computed, type guessed, a larger one compressed.
public struct PreparedAttachment: Sendable {
  public let attachment: Attachment
  let content: Content
  /// When it arrived, if not with its submission.
  let received: Timestamp?

  /// - Parameters:
  ///   - name: A name or a path, of which the last component is taken.
  ///   - contentType: The type given by the sender; guessed from the bytes where it is `nil` or invalid.
  ///   - received: When it arrived; `nil` if with its submission.
  /// - Throws: ``StoreError/attachmentLimit(name:limit:value:)`` when it is too large;
  ///   `CompressionError` when memory is short.
  public init(
    _ name: String, _ bytes: ByteView, contentType: String? = nil, received: Timestamp? = nil
  ) throws {
    self.received = received
    let name = Self.name(name)
    guard bytes.count <= AttachmentLimits.bytes else {
      throw StoreError.attachmentLimit(
        name: name, limit: "bytes of an attachment", value: AttachmentLimits.bytes)
    }
    content = try Content(bytes)
    attachment = Attachment(
      name: name, contentType: contentType.flatMap(ContentType.valid) ?? ContentType.guess(bytes),
      size: bytes.count,
      digest: SHA256.hex(content.digest))
  }

  /// - Parameter time: When its submission arrived.
  func stored(withSubmissionOf time: Timestamp) -> StoredFile {
    StoredFile(attachment, digest: content.digest, received: received ?? time)
  }

  /// The approximate number of bytes to be written, compressed.
  public var packedCount: Int { content.packedCount }

  /// The number of bytes that it takes in memory.
  public var heldBytes: Int { content.bytes.count }

  /// Returns the last component of `path`, at most as long as the name of a file may be.
  static func name(_ path: String) -> String {
    let parts = path.split { $0 == "/" || $0 == "\\" }
    var name = parts.last.map(String.init) ?? ""
    while name.utf8.count > AttachmentLimits.nameBytes { name.removeFirst() }
    return name.isEmpty ? "attachment" : name
  }
}
