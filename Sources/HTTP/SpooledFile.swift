public import Bytes
internal import Glibc
internal import Hashing

/// A body, or a part of one, that was written to the spool folder; its space is given back with the
/// last reference, unless it was kept.
///
/// `@unchecked Sendable`: written by one thread before it is handed out, and only read afterwards.
public final class SpooledFile: @unchecked Sendable {
  /// Open for reading and writing; closed with the last reference. Its position is at the end: read
  /// with pread(2).
  public let descriptor: Int32
  /// The length in bytes.
  public private(set) var count = 0
  /// SHA-256 of the bytes: 32 of them; none where it was not wanted.
  public private(set) var digest: [UInt8] = []
  /// A name by which this process can open the file as long as it is referenced.
  public let path: String
  private let isNamed: Bool
  private var hash: SHA256?

  /// - Parameter isHashed: Whether ``digest`` is wanted.
  /// - Throws: ``HTTPError/spool(_:)`` where the folder takes no file.
  init(in folder: String, isHashed: Bool = true) throws(HTTPError) {
    hash = isHashed ? SHA256() : nil
    // An unnamed file leaves nothing behind however the process ends. Source: open(2), O_TMPFILE,
    // whose own bit is the same on all our machines.
    let unnamed = open(folder, O_RDWR | O_CLOEXEC | O_DIRECTORY | 0o20000000, 0o600)
    if unnamed >= 0 {
      descriptor = unnamed
      path = "/proc/self/fd/\(unnamed)"
      isNamed = false
      return
    }
    var template = Array("\(folder)/body-XXXXXX".utf8CString)
    let named = mkstemp(&template)
    guard named >= 0 else { throw .spool(errno) }
    _ = fcntl(named, F_SETFD, FD_CLOEXEC)
    descriptor = named
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    isNamed = true
  }

  deinit {
    if isNamed { unlink(path) }
    close(descriptor)
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(HTTPError) {
    hash?.update(RawSpan(_unsafeBytes: bytes))
    guard ByteView.write(bytes, to: descriptor) else { throw .spool(errno) }
    count += bytes.count
  }

  func finish() {
    if let hash = hash.take() { digest = hash.finish() }
  }

  /// Gives the file the name `path` on the same file system, for good; an existing file stays.
  ///
  /// The bytes are not synced: see fsync(2).
  /// - Returns: `false` where `path` exists.
  /// - Throws: ``HTTPError/spool(_:)`` with the system's reason.
  public func keep(at path: String) throws(HTTPError) -> Bool {
    let result =
      isNamed
      ? link(self.path, path)
      : linkat(AT_FDCWD, self.path, AT_FDCWD, path, AT_SYMLINK_FOLLOW)
    if result == 0 { return true }
    if errno == EEXIST { return false }
    throw .spool(errno)
  }

  /// All bytes, in memory.
  ///
  /// - Throws: ``HTTPError/spool(_:)`` where they cannot be read.
  public func read() throws(HTTPError) -> ByteView {
    try ByteView(capacity: count) { (buffer) throws(HTTPError) in
      var done = 0
      while done < count {
        let got = pread(
          descriptor, buffer.baseAddress?.advanced(by: done), count - done, off_t(done))
        if got < 0 && errno == EINTR { continue }
        guard got > 0 else { throw .spool(errno) }
        done += got
      }
      return done
    }
  }
}
