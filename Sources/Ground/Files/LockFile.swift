public import Bytes
internal import Glibc

/// A file that stands for something, held locked as long as the object lives, or its process.
public final class LockFile: Sendable {
  public let path: String
  /// Open for reading and writing.
  public let file: OpenFile

  /// The lock of the file at `path`, which is made where it is not there.
  ///
  /// It is the lock of the file that has the name: whoever had it before may have removed the file
  /// between the opening and the locking, and then others lock another one.
  ///
  /// - Parameter waits: Whether to wait for those who hold it.
  /// - Returns: `nil` where another holds it and it was not to be waited for.
  /// - Throws: `FileError` where the file cannot be made or locked.
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

  /// The lock of a file that is there, while no other process removes it.
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
  /// - Returns: Whether it is gone.
  @discardableResult
  public func remove() -> Bool { unlink(path) == 0 }
}

extension LockFile {
  /// Fills the file with `bytes` and gives it the name `target`, so that a reader sees a whole file
  /// or none; see ``Durability/renewable``.
  public func publish(_ bytes: ByteView, at target: String) throws(FileError) {
    guard ftruncate(file.number, 0) == 0, lseek(file.number, 0, SEEK_SET) == 0 else {
      throw FileError("write", path: path)
    }
    try bytes.write(to: file.number, named: path)
    guard rename(path, target) == 0 else { throw FileError("write", path: target) }
  }
}
