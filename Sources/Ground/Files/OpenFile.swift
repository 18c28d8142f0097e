public import Bytes
internal import CFiles
public import Glibc

/// An open descriptor, closed when it goes out of scope and not inherited by other programs.
public struct OpenFile: ~Copyable, Sendable {
  public let number: Int32

  /// Takes ownership of an open descriptor.
  public init(taking number: Int32) { self.number = number }

  /// The same open file under another descriptor.
  public static func duplicating(_ descriptor: Int32, name: String) throws(FileError) -> OpenFile {
    let number = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard number >= 0 else { throw FileError("open", path: name) }
    return OpenFile(taking: number)
  }

  /// The same file under a descriptor of at least 3.
  public consuming func movedUp() throws(FileError) -> OpenFile {
    guard number < 3 else { return self }
    return try OpenFile.duplicating(number, name: "descriptor")
  }

  /// Passes ownership of the descriptor to the caller.
  public consuming func take() -> Int32 {
    let number = number
    discard self
    return number
  }

  /// The type and size of the file, in bytes.
  public borrowing func status(name: String) throws(FileError) -> stat {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw FileError("read", path: name) }
    return status
  }

  /// Whether the file still has the name `path`: anything written to a removed file is lost, and a
  /// lock on it excludes no other process.
  public borrowing func isNamed(_ path: String) -> Bool {
    var own = stat()
    var named = stat()
    return fstat(number, &own) == 0 && own.st_nlink > 0 && lstat(path, &named) == 0
      && own.st_ino == named.st_ino && own.st_dev == named.st_dev
  }

  /// Waits until the bytes of the file, and its length, are on disk.
  ///
  /// Devices and pipes, which store nothing, are not waited for.
  public borrowing func sync(name: String) throws(FileError) {
    guard fdatasync(number) != 0, errno != EINVAL, errno != EROFS else { return }
    throw FileError("sync", path: name)
  }

  deinit { close(number) }
}

// MARK: Pipes

extension OpenFile {
  /// The read and write ends of a pipe, neither of which is 0, 1 or 2: a process whose own standard
  /// descriptors are closed would otherwise lose them on the way into the new program.
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
    /// May be held by any number of processes at a time, but not together with ``exclusive``.
    case shared
    case exclusive
  }

  /// Locks the file for this process until the descriptor is closed, however the process ends.
  ///
  /// Source: flock(2). A lock that is held already is changed.
  ///
  /// - Parameter waits: Whether to wait for other holders.
  /// - Returns: `false` where another process holds it and `waits` is `false`.
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
