public import Bytes
public import CrashModel
internal import Hashing

/// A file for a report, ready to be written: digest computed, type guessed, compressed.
public struct PreparedAttachment: Sendable {
  public let attachment: Attachment
  let content: Content
  /// When it came in, where that is not when its submission did.
  let received: Timestamp?

  /// - Parameters:
  ///   - name: Of its path, the last part is taken.
  ///   - contentType: What the sender calls it; guessed from the bytes where that is `nil`, or no
  ///     type at all.
  ///   - received: When it came in; `nil` for with its submission.
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
    content = try Content(compressing: bytes)
    attachment = Attachment(
      name: name, contentType: contentType.flatMap(ContentType.valid) ?? ContentType.guess(bytes),
      size: bytes.count,
      digest: SHA256.hex(content.digest))
  }

  /// - Parameter time: When its submission came in.
  func stored(withSubmissionOf time: Timestamp) -> StoredFile {
    StoredFile(attachment, digest: content.digest, received: received ?? time)
  }

  /// The bytes that will be written, compressed.
  public var packedCount: Int { content.bytes.count }

  /// The last part of `path`, no longer than a file's name may be.
  static func name(_ path: String) -> String {
    let parts = path.split { $0 == "/" || $0 == "\\" }
    var name = parts.last.map(String.init) ?? ""
    while name.utf8.count > AttachmentLimits.nameBytes { name.removeFirst() }
    return name.isEmpty ? "attachment" : name
  }
}
