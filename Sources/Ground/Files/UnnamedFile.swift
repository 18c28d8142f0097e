public import Bytes
internal import Glibc

/// A file that is deleted with its last reference, however the process ends, where the file system supports
/// unnamed files; elsewhere, when this object is released.
public final class UnnamedFile: Sendable {
  /// Open for reading and writing.
  public let file: OpenFile
  /// Its name, where the file system required one.
  private let name: String?

  /// - Parameter folder: The folder on whose file system it is stored.
  public init(in folder: String) throws(FileError) {
    // Source: open(2), O_TMPFILE, whose own bit is the same on all our machines.
    let unnamed = open(folder, O_RDWR | O_CLOEXEC | O_DIRECTORY | 0o20000000, 0o600)
    if unnamed >= 0 {
      file = OpenFile(taking: unnamed)
      name = nil
      return
    }
    var template = Array("\(folder)/body-XXXXXX".utf8CString)
    let named = mkstemp(&template)
    guard named >= 0 else { throw FileError("make file", path: folder) }
    _ = fcntl(named, F_SETFD, FD_CLOEXEC)
    file = OpenFile(taking: named)
    name = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// A name by which this process can open the file as long as it is referenced.
  public var path: String { name ?? "/proc/self/fd/\(file.number)" }

  /// Gives the file the permanent name `path` on the same file system; an existing file is not replaced.
  ///
  /// The bytes are not synced.
  ///
  /// - Returns: `false` where `path` exists.
  public func link(to path: String) throws(FileError) -> Bool {
    let result =
      name.map { Glibc.link($0, path) }
      ?? linkat(AT_FDCWD, self.path, AT_FDCWD, path, AT_SYMLINK_FOLLOW)
    if result == 0 { return true }
    if errno == EEXIST { return false }
    throw FileError("keep", path: path)
  }

  /// Gives the file the permanent name `path` on the same file system, in place of an existing file. A device, a
  /// link or anything else that is not a file is not replaced.
  ///
  /// The bytes are not synced.
  public func replace(_ path: String) throws(FileError) {
    guard try !link(to: path) else { return }
    var status = stat()
    if lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      throw FileError("replace", path: path, code: EINVAL, detail: "not a regular file")
    }
    // Only a file with a name can take the place of another.
    let temporary = "\(path).\(String(UInt64.random(in: 0...UInt64.max), radix: 36)).tmp"
    guard try link(to: temporary) else { throw FileError("keep", path: path, code: EEXIST) }
    if rename(temporary, path) != 0 {
      let code = errno
      unlink(temporary)
      throw FileError("keep", path: path, code: code)
    }
  }

  deinit { if let name { unlink(name) } }
}
