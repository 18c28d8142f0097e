public import Bytes
internal import CFiles
internal import Glibc

extension OpenFile {
  /// Opens for reading; never waits for the other end of a pipe, never takes a terminal.
  ///
  /// - Parameters:
  ///   - path: The bytes of the path, without a NUL.
  ///   - name: What to call it in the error.
  public static func opening(_ path: [UInt8], name: String) throws(FileError) -> OpenFile {
    let number = path.withCPath { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
    guard number >= 0 else { throw FileError("open", path: name) }
    return OpenFile(taking: number)
  }

  /// The same for a path that is text.
  ///
  /// - Parameter followsLinks: Whether `path` may end in a symbolic link.
  public static func opening(
    _ path: String, followsLinks: Bool = true
  ) throws(FileError) -> OpenFile {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    return try opening(path, flags | (followsLinks ? 0 : O_NOFOLLOW))
  }

  /// Opens a file for reading and writing, and follows no link at the end of `path`.
  ///
  /// - Parameter isMade: Whether it is made, for its owner only, where it is not there.
  public static func changing(_ path: String, isMade: Bool) throws(FileError) -> OpenFile {
    try opening(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | (isMade ? O_CREAT : 0))
  }

  /// Makes a file for its owner only where nothing is.
  public static func making(_ path: String) throws(FileError) -> OpenFile {
    try opening(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW)
  }

  /// Makes an empty file for its owner only, unless something is there, which is not opened.
  public static func makeUnlessThere(_ path: String) throws(FileError) {
    do throws(FileError) {
      _ = try making(path)
    } catch {
      guard error.code == EEXIST else { throw error }
    }
  }

  /// Opens a file or a device to be written from its beginning, and makes it where it is not there.
  public static func overwriting(_ path: String) throws(FileError) -> OpenFile {
    try opening(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY)
  }

  /// Opens a file or a device to be written at its end, and makes it where it is not there.
  public static func appending(_ path: String) throws(FileError) -> OpenFile {
    try opening(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY)
  }

  /// Opens a folder.
  public static func folder(_ path: String) throws(FileError) -> OpenFile {
    try opening(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  }

  private static func opening(_ path: String, _ flags: Int32) throws(FileError) -> OpenFile {
    let number = open(path, flags, 0o600)
    guard number >= 0 else { throw FileError("open", path: path) }
    return OpenFile(taking: number)
  }

  /// An unnamed file in memory that holds `bytes` and is read from its start.
  public static func holding(_ bytes: ByteView, name: String) throws(FileError) -> OpenFile {
    let number = memfd_create(name, 1)  // MFD_CLOEXEC of linux/memfd.h
    guard number >= 0 else { throw FileError("keep", path: name) }
    let file = OpenFile(taking: number)
    try bytes.write(to: number, named: name)
    lseek(number, 0, SEEK_SET)
    return file
  }
}

extension [UInt8] {
  /// The bytes as a path or a name for a system call. A NUL among them ends it.
  public func withCPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    let path = self.map { CChar(bitPattern: $0) } + [0]
    return path.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { preconditionFailure("a path ends in a NUL") }
      return body(start)
    }
  }
}
