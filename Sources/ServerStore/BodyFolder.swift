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
    do throws(FileError) {
      try body.write(to: number, named: file)
      guard fsync(number) == 0 else { throw FileError("sync", path: file) }
    } catch {
      unlink(file)
      throw error
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
    for name in FolderNames.of(path) {
      var status = stat()
      guard name.hasSuffix(Self.suffix), stat(path + "/" + name, &status) == 0,
        time(nil) - status.st_mtim.tv_sec > Self.leftoverAge, try !isNamed(name)
      else { continue }
      remove(name)
    }
  }
}
