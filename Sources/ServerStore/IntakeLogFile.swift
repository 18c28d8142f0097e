internal import Bytes
internal import Glibc

/// An ``IntakeLog``'s file as its readers see it.
struct IntakeLogFile {
  let name: String
  /// The bytes that may be believed, from the start of the file.
  let bytes: ByteView
  /// Whether nobody writes to it any more.
  let isClosed: Bool

  /// - Returns: `nil` for a file that is gone.
  init?(_ name: String, in folder: String) throws(FileError) {
    self.name = name
    let path = folder + "/" + name
    let file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw FileError("open", path: path)
    }
    defer { close(file) }
    isClosed = flock(file, LOCK_SH | LOCK_NB) == 0
    var synced: UInt64 = 0
    let isTold = withUnsafeMutableBytes(of: &synced) {
      pread(file, $0.baseAddress, $0.count, 0) == $0.count
    }
    // Closed, it is read to its end: a writer that was killed may not have told how far it came.
    let whole = try ByteView(mapping: path)
    let end = isTold ? Int(clamping: UInt64(littleEndian: synced)) : 0
    bytes = isClosed ? whole : whole.clamped(0..<max(0, min(end, whole.count)))
  }

  /// The names of all in a folder, the oldest first.
  static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(IntakeLog.suffix) { names.append(name) }
    }
    return names.sorted()
  }
}
