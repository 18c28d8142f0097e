internal import Bytes
internal import Glibc

/// Who reads all contents of a home, and who takes contents away: the first shared, the second alone.
/// It ends with the process that holds it.
struct HomeLock {
  private let file: Int32

  /// - Parameters:
  ///   - waits: Whether to wait for those who hold it.
  /// - Returns: `nil` when somebody holds it and it was not to be waited for.
  /// - Throws: `FileError` when it cannot be made.
  init?(_ home: String, isShared: Bool, waits: Bool) throws(FileError) {
    let path = home + "/contents.lock"
    file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw FileError("open", path: path) }
    let how = (isShared ? LOCK_SH : LOCK_EX) | (waits ? 0 : LOCK_NB)
    while flock(file, how) != 0 {
      if errno == EINTR { continue }
      let code = errno
      close(file)
      if code == EWOULDBLOCK { return nil }
      throw FileError("lock", path: path, code: code)
    }
  }

  func release() { close(file) }
}
