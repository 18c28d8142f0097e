internal import Files

/// The relation of a file to a report beside it.
///
/// Two rules, by names alone: everything in the folder `crash.ips.attachments` belongs to the file
/// `crash.ips` beside it, and so does a file whose name continues after a dot, `crash.ips.log`, unless it is
/// a report itself.
public struct Companion: Equatable, Sendable {
  /// The file that it belongs to, as ``InputFile/path``.
  public let owner: String
  /// Its name: the text after the owner's name, or its path in the folder.
  public let name: String
  /// Whether it is in that folder, which makes it an attachment whatever its content.
  public let isAttachment: Bool

  /// The suffix of the folder with a file's attachments.
  static let folderSuffix = Array(".attachments".utf8)

  /// The relation of a member of an archive, by its path alone; `nil` for an independent one.
  init?(memberPath path: String) {
    let mark = Self.folderSuffix + [0x2f]
    let bytes = Array(path.utf8)
    guard bytes.count > mark.count else { return nil }
    for start in 1..<(bytes.count - mark.count) {
      let end = start + mark.count
      // The folder has a name before the suffix.
      guard bytes[start] == mark[0], bytes[start - 1] != 0x2f, bytes[start - 1] != 0x21,
        bytes[start..<end] == mark[...]
      else { continue }
      self.init(
        owner: String(decoding: bytes[..<start], as: UTF8.self),
        name: String(decoding: bytes[end...], as: UTF8.self), isAttachment: true)
      return
    }
    return nil
  }

  /// - Parameters:
  ///   - owner: The file that it belongs to, as ``InputFile/path``.
  ///   - name: Its name, as bytes.
  public init(of owner: String, called name: [UInt8], isAttachment: Bool) {
    self.init(owner: owner, name: DisplayText.escaped(name), isAttachment: isAttachment)
  }

  init(owner: String, name: String, isAttachment: Bool) {
    self.owner = owner
    self.name = name
    self.isAttachment = isAttachment
  }
}
