public import Bytes
internal import Glibc

/// A lock file, held locked as long as the object or its process lives.
public final class LockFile: Sendable {
  public let path: String
  /// Open for reading and writing.
  public let file: OpenFile

  /// Locks the file at `path`, which is created where it does not exist.
  ///
  /// The lock is on the file that has the name: a previous holder may have removed the file between
  /// opening and locking, and other processes then lock a new one.
  ///
  /// - Parameter waits: Whether to wait for other holders.
  /// - Returns: `nil` where another process holds it and `waits` is `false`.
  /// - Throws: `FileError` where the file cannot be created or locked.
  public init?(
    _ path: String, _ lock: OpenFile.Lock = .exclusive, waits: Bool = false
  ) throws(FileError) {
    while true {
      let file = try OpenFile.changing(path, isMade: true)
      guard try file.lock(lock, waits: waits, name: path) else { return nil }
      guard file.isNamed(path) else { continue }
      self.path = path
      self.file = file
      return
    }
  }

  /// Locks an existing file, provided that no other process removes it meanwhile.
  ///
  /// - Returns: `nil` where there is none, or another process holds it.
  public init?(leftAt path: String) {
    guard let file = try? OpenFile.changing(path, isMade: false),
      (try? file.lock(.exclusive, name: path)) == true, file.isNamed(path)
    else { return nil }
    self.path = path
    self.file = file
  }

  /// Takes over a file that this process has locked.
  public init(_ file: consuming OpenFile, at path: String) {
    self.path = path
    self.file = file
  }

  /// The last part of its path.
  public var name: String { path.split(separator: "/").last.map(String.init) ?? "" }

  /// Whether the file still has its name.
  public var hasName: Bool { file.isNamed(path) }

  /// Removes the file, while the lock is held.
  ///
  /// - Returns: Whether the file was removed.
  @discardableResult
  public func remove() -> Bool { unlink(path) == 0 }
}

extension LockFile {
  /// Fills the file with `bytes` and renames it to `target`, so that a reader sees a whole file or
  /// none; see ``Durability/renewable``.
  public func publish(_ bytes: ByteView, at target: String) throws(FileError) {
    guard ftruncate(file.number, 0) == 0, lseek(file.number, 0, SEEK_SET) == 0 else {
      throw FileError("write", path: path)
    }
    try bytes.write(to: file.number, named: path)
    guard rename(path, target) == 0 else { throw FileError("write", path: target) }
  }
}
