internal import Bytes
internal import Glibc

/// A file, for its owner only, that is written beside its place and put there when it is whole; removed unless it is.
final class NewFile {
  let descriptor: Int32
  private let path: String
  private let temporary: String
  private let replacing: Bool
  private var isDone = false

  /// - Throws: ``ArchiveWriteError`` when something stands at `path` and may not be replaced, or when
  ///   no file can be made.
  init(at path: String, replacing: Bool) throws(ArchiveWriteError) {
    self.path = path
    self.replacing = replacing
    var status = stat()
    if !replacing && lstat(path, &status) == 0 { throw .exists(path) }
    if stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG {
      throw .file(FileError("replace", path: path, code: EINVAL, detail: "not a regular file"))
    }
    let random = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    temporary = "\(path).\(random).tmp"
    descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .file(FileError("make", path: path)) }
  }

  /// Puts the file in its place; it is on the disk then.
  ///
  /// - Throws: ``ArchiveWriteError`` when that fails, or when something that may not be replaced
  ///   stands there by now.
  func finish() throws(ArchiveWriteError) {
    guard fsync(descriptor) == 0 else { throw .file(FileError("write", path: path)) }
    try takePlace()
    // The name has to last, too. Where a folder cannot be synced, the system does it in its time.
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard opened >= 0 else { return }
    fsync(opened)
    close(opened)
  }

  private func takePlace() throws(ArchiveWriteError) {
    if !replacing {
      // A link, unlike a rename, replaces nothing. Some file systems have none.
      if link(temporary, path) == 0 { return }
      if errno == EEXIST { throw .exists(path) }
    }
    guard rename(temporary, path) == 0 else { throw .file(FileError("write", path: path)) }
    isDone = true
  }

  deinit {
    close(descriptor)
    if !isDone { unlink(temporary) }
  }
}
