import Bytes
import CrashModel
import Glibc
import Terminal

extension OutputFile {
  /// Writes `bytes` to `path`, over a file that is there only where that is forced; a device is written to.
  ///
  /// - Throws: ``CommandFailure`` where it may not.
  static func write(_ bytes: ByteView, toFree path: String, isForced: Bool) throws {
    var status = stat()
    if !isForced, lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFCHR {
      throw CommandFailure("\(path.printable): already exists; --force overwrites it")
    }
    try write(bytes, to: path)
  }
}
