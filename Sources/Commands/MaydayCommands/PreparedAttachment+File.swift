import Bytes
import CrashStore
import Scrubbing

extension PreparedAttachment {
  /// The file at `path`, under its own name, scrubbed if it is text.
  ///
  /// - Throws: `FileError` if it cannot be read, or is too large.
  init(reading path: String, _ scrubber: Scrubber) throws {
    try self.init(
      path, scrubber.scrub(file: ByteView(reading: path, limit: AttachmentLimits.bytes)))
  }
}
