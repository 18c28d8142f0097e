import Bytes
import Glibc

/// A file that a command writes; what it makes is for its owner only: nearly all of them hold reports.
enum OutputFile {
  /// Writes `bytes` to `path`: beside it first, so that it is whole or as it was.
  ///
  /// - Throws: ``FileError`` when it cannot be written.
  static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    try write(ByteView(bytes), to: path)
  }

  /// The same.
  static func write(_ bytes: ByteView, to path: String) throws(FileError) {
    try write([bytes], to: path)
  }

  /// The same, where something stands at `path` only if it may be replaced; a device is written to as it
  /// is.
  ///
  /// - Throws: ``CommandFailure`` where it may not.
  static func write(_ bytes: ByteView, toFree path: String, isForced: Bool) throws {
    var status = stat()
    if !isForced, lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFCHR {
      throw CommandFailure("\(path.printable): already exists; --force overwrites it")
    }
    try write(bytes, to: path)
  }

  /// The same for bytes in parts, which stand one behind the other.
  static func write(_ parts: [ByteView], to path: String) throws(FileError) {
    let temporary = "\(path).\(getpid()).tmp"
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    // A device, or a folder that takes no new file, is written to as it is.
    guard file >= 0, isPlain(path) else {
      if file >= 0 {
        close(file)
        unlink(temporary)
      }
      return try overwrite(parts, path)
    }
    let isWritten = send(parts, to: file)
    let code = errno
    let isClosed = close(file) == 0
    guard isWritten, isClosed, rename(temporary, path) == 0 else {
      let error = FileError("write", path: path, code: isWritten ? errno : code)
      unlink(temporary)
      throw error
    }
  }

  private static func overwrite(_ parts: [ByteView], _ path: String) throws(FileError) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw FileError("write", path: path) }
    let isWritten = send(parts, to: file)
    let code = errno
    let isClosed = close(file) == 0
    guard isWritten && isClosed else {
      throw FileError("write", path: path, code: isWritten ? errno : code)
    }
  }

  /// Whether nothing or a regular file stands at `path`.
  private static func isPlain(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
  }

  /// - Returns: Whether everything was written; if not, `errno` says why.
  static func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { ByteView.write($0, to: descriptor) }
  }

  private static func send(_ parts: [ByteView], to descriptor: Int32) -> Bool {
    parts.allSatisfy { part in part.withUnsafeBytes { ByteView.write($0, to: descriptor) } }
  }
}
