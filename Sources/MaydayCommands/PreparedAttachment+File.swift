import Bytes
import CrashStore

extension PreparedAttachment {
  /// The file at `path`, under its own name.
  ///
  /// - Throws: `FileError` when it cannot be read, or is too large.
  init(reading path: String) throws {
    try self.init(path, ByteView(reading: path, limit: AttachmentLimits.bytes))
  }
}
