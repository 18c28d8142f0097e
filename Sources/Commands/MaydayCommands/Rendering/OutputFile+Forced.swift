import Bytes
import CommandSupport
import Glibc
import Terminal

extension OutputFile {
  /// Writes `bytes` to `path`; replaces an existing file only if forced. A device is written to.
  ///
  /// - Throws: ``CommandFailure`` if the file exists and may not be replaced.
  static func write(_ bytes: ByteView, toFree path: String, isForced: Bool) throws {
    var status = stat()
    if !isForced, lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFCHR {
      throw CommandFailure("\(path.printable): already exists; --force overwrites it")
    }
    try write(bytes, to: path)
  }
}
