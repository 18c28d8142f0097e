import Glibc

extension ByteView {
  /// Writes everything to an open file, from where it stands.
  ///
  /// - Parameter path: The name of the file in an error.
  /// - Throws: ``FileError`` where not all of it could be written.
  public func write(to descriptor: Int32, named path: String) throws(FileError) {
    // A mapped file of gigabytes is to be copied without staying in memory.
    var start = 0
    while start < count {
      let part = clamped(start..<start.addingClamped(Self.writtenAtOnce))
      let isWritten = unsafe part.withUnsafeBytes { unsafe Self.write($0, to: descriptor) }
      guard isWritten else { throw FileError("write", path: path) }
      if count > Self.writtenAtOnce { part.forgetPages() }
      start += part.count
    }
  }

  private static let writtenAtOnce = 16 << 20

  /// Whether every byte is 0.
  ///
  /// - Complexity: O(n).
  public var isZero: Bool {
    guard count > 0 else { return true }
    return unsafe withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return true }
      let first = unsafe start.load(as: UInt8.self)
      guard first == 0 else { return false }
      // Each byte is the one before it.
      return unsafe memcmp(start, start + 1, bytes.count - 1) == 0
    }
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
