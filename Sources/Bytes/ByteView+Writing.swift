import Glibc

extension ByteView {
  /// Writes everything to an open file, from where it stands.
  ///
  /// - Parameter path: The name of the file in an error.
  /// - Throws: ``FileError`` where not all of it could be written.
  public func write(to descriptor: Int32, named path: String) throws(FileError) {
    let isWritten = unsafe withUnsafeBytes { unsafe Self.write($0, to: descriptor) }
    guard isWritten else { throw FileError("write", path: path) }
  }

  /// Writes everything to an open file, in as many steps as it takes.
  ///
  /// - Returns: Whether all was written; if not, `errno` says why.
  @unsafe
  public static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = unsafe Glibc.write(
        descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }
}
