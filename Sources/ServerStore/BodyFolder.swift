internal import Bytes
internal import Glibc

/// Bodies that are too large for a row of the database, a file each.
struct BodyFolder: Sendable {
  let path: String

  /// Files that nobody names after so many seconds belong to submissions that were never accepted.
  private static let leftoverAge = 3_600
  private static let suffix = ".body"

  /// Writes a file that is on the disk, under its name, when this returns.
  ///
  /// - Returns: The name.
  func write(_ body: ByteView) throws(FileError) -> String {
    let name = RandomBytes.hex(16) + Self.suffix
    let file = path + "/" + name
    let number = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard number >= 0 else { throw FileError("open", path: file) }
    defer { close(number) }
    let isWritten = body.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let count = Glibc.write(number, bytes.baseAddress?.advanced(by: done), bytes.count - done)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return false }
        done += count
      }
      return true
    }
    guard isWritten, fsync(number) == 0 else {
      let code = errno
      unlink(file)
      throw FileError("write", path: file, code: code)
    }
    try sync()
    return name
  }

  func read(_ name: String) throws(FileError) -> ByteView {
    try ByteView(mapping: path + "/" + name)
  }

  func remove(_ name: String) { unlink(path + "/" + name) }

  func sync() throws(FileError) {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw FileError("open", path: path) }
    defer { close(folder) }
    guard fsync(folder) == 0 else { throw FileError("sync", path: path) }
  }

  /// Removes old files that `isNamed` does not know.
  func removeLeftovers(except isNamed: (String) throws -> Bool) rethrows {
    guard let stream = opendir(path) else { return }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      var status = stat()
      guard name.hasSuffix(Self.suffix), stat(path + "/" + name, &status) == 0,
        time(nil) - status.st_mtim.tv_sec > Self.leftoverAge, try !isNamed(name)
      else { continue }
      remove(name)
    }
  }
}
