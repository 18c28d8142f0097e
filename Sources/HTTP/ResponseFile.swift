internal import Glibc

/// An open file, or a part of one, that a response sends; closed with the last reference.
public final class ResponseFile: Sendable {
  let descriptor: Int32
  let offset: UInt64
  /// The length in bytes of what is sent.
  public let count: UInt64

  /// The whole of a file.
  ///
  /// - Throws: ``HTTPError/spool(_:)`` with the system's reason.
  public init(path: String) throws(HTTPError) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .spool(errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .spool(EINVAL)
    }
    offset = 0
    count = UInt64(clamping: status.st_size)
  }

  /// `count` bytes from `offset` on of an open file, which is taken over.
  public init(taking descriptor: Int32, offset: UInt64 = 0, count: UInt64) {
    self.descriptor = descriptor
    self.offset = offset
    self.count = count
  }

  deinit { close(descriptor) }
}
