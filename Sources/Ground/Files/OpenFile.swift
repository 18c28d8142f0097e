public import Bytes
internal import CFiles
public import Glibc

/// An open descriptor, closed when it goes out of scope and not inherited by other programs.
public struct OpenFile: ~Copyable, Sendable {
  public let number: Int32

  /// Takes over an open descriptor.
  public init(taking number: Int32) { self.number = number }

  /// The same open file under a number of its own.
  public static func duplicating(_ descriptor: Int32, name: String) throws(FileError) -> OpenFile {
    let number = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard number >= 0 else { throw FileError("open", path: name) }
    return OpenFile(taking: number)
  }

  /// The same file under a number from 3 on.
  public consuming func movedUp() throws(FileError) -> OpenFile {
    guard number < 3 else { return self }
    return try OpenFile.duplicating(number, name: "descriptor")
  }

  /// Gives the descriptor to the caller, who closes it.
  public consuming func take() -> Int32 {
    let number = number
    discard self
    return number
  }

  /// The kind of the file, and its size in bytes.
  public borrowing func status(name: String) throws(FileError) -> stat {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw FileError("read", path: name) }
    return status
  }

  /// Whether the file still has the name `path`: what is written to one that was removed is lost,
  /// and a lock on it keeps nobody out.
  public borrowing func isNamed(_ path: String) -> Bool {
    var own = stat()
    var named = stat()
    return fstat(number, &own) == 0 && own.st_nlink > 0 && lstat(path, &named) == 0
      && own.st_ino == named.st_ino && own.st_dev == named.st_dev
  }

  /// Waits until the bytes of the file, and its length, are on the disk.
  ///
  /// Devices and pipes, which keep nothing, are not waited for.
  public borrowing func sync(name: String) throws(FileError) {
    guard fdatasync(number) != 0, errno != EINVAL, errno != EROFS else { return }
    throw FileError("sync", path: name)
  }

  deinit { close(number) }
}

// MARK: Pipes

extension OpenFile {
  /// The reading and the writing end of a pipe, neither of which is 0, 1 or 2: a process whose own
  /// standard descriptors are closed would otherwise lose them on the way into the new program.
  public static func pipe() throws(FileError) -> Pipe {
    var ends: [Int32] = [0, 0]
    guard pipe2(&ends, O_CLOEXEC) == 0 else { throw FileError("open", path: "pipe") }
    let reading = OpenFile(taking: ends[0])
    let writing = OpenFile(taking: ends[1])
    return Pipe(reading: try reading.movedUp(), writing: try writing.movedUp())
  }

  @frozen
  public struct Pipe: ~Copyable {
    public let reading: OpenFile
    public let writing: OpenFile
  }
}

// MARK: Locks

extension OpenFile {
  public enum Lock: Sendable {
    /// Held by any number at a time, but not together with ``exclusive``.
    case shared
    case exclusive
  }

  /// Locks the file for this process until the descriptor is closed, however the process ends.
  ///
  /// Source: flock(2). A lock that is held already is changed.
  ///
  /// - Parameter waits: Whether to wait for those who hold it.
  /// - Returns: `false` where another holds it and it was not to be waited for.
  public borrowing func lock(
    _ lock: Lock, waits: Bool = false, name: String
  ) throws(FileError) -> Bool {
    let how = (lock == .shared ? LOCK_SH : LOCK_EX) | (waits ? 0 : LOCK_NB)
    while flock(number, how) != 0 {
      if errno == EINTR { continue }
      if errno == EWOULDBLOCK { return false }
      throw FileError("lock", path: name)
    }
    return true
  }
}
