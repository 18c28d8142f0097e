internal import Bytes
internal import Glibc

/// A file without a name, which is gone when nobody holds it any more.
final class ScratchFile {
  private let descriptor: Int32
  private let folder: String
  private(set) var count = 0

  /// - Parameter folder: Where it takes its room.
  init(in folder: String) throws(FileError) {
    self.folder = folder
    var template = Array((folder + "/mayday-XXXXXX").utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw FileError("make file", path: folder) }
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  deinit { close(descriptor) }

  /// - Returns: Where the bytes are.
  func append(_ bytes: ByteView) throws(FileError) -> Range<Int> {
    let start = count
    try bytes.write(to: descriptor, named: "a file in \(folder)")
    count += bytes.count
    return start..<count
  }

  func bytes(_ range: Range<Int>) throws(FileError) -> ByteView {
    try ByteView(reading: "/proc/self/fd/\(descriptor)", range: range)
  }
}
