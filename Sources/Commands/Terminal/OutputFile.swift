package import Bytes
internal import Files
internal import Glibc

/// A file that a command writes, for its owner only: nearly all of them contain reports.
package enum OutputFile {
  /// Writes `bytes` to a temporary file and renames it to `path`, so that it is complete or unchanged.
  ///
  /// - Throws: ``FileError`` when it cannot be written.
  package static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    try write(ByteView(bytes), to: path)
  }

  /// Writes `bytes` to a temporary file and renames it to `path`.
  package static func write(_ bytes: ByteView, to path: String) throws(FileError) {
    try write([bytes], to: path)
  }

  /// Writes parts one after the other to a temporary file and renames it to `path`.
  package static func write(_ parts: [ByteView], to path: String) throws(FileError) {
    do throws(FileError) {
      // A device is overwritten.
      guard isPlain(path) else { return try overwrite(parts, path) }
      let new = try NewFile(at: path)
      for part in parts { try new.write(part) }
      try new.finish()
    } catch {
      // So is a file in a folder that permits no new files.
      guard [EACCES, EPERM].contains(error.code), error.action == "make" else {
        throw FileError("write", path: path, code: error.code)
      }
      try overwrite(parts, path)
    }
  }

  /// Writes `bytes` at the end of the file at `path`, which is made if it is not there.
  ///
  /// - Throws: ``FileError`` when it cannot be written.
  package static func append(_ bytes: [UInt8], to path: String) throws(FileError) {
    do throws(FileError) {
      let file = try OpenFile.appending(path)
      try ByteView(bytes).write(to: file.number, named: path)
    } catch {
      throw FileError("write", path: path, code: error.code)
    }
  }

  private static func overwrite(_ parts: [ByteView], _ path: String) throws(FileError) {
    do throws(FileError) {
      let file = try OpenFile.overwriting(path)
      for part in parts { try part.write(to: file.number, named: path) }
      try file.sync(name: path)
    } catch {
      throw FileError("write", path: path, code: error.code)
    }
  }

  /// Writes to a device, or to the file that a link names, from its beginning.
  ///
  /// - Parameter body: Writes the bytes by calling its argument.
  /// - Throws: ``FileError`` when it cannot be written.
  package static func overwrite<Result>(
    _ path: String, _ body: ((ByteView) throws -> Void) throws -> Result
  ) throws -> Result {
    let file = try overwriting(path)
    let number = file.number
    let result = try body { try $0.write(to: number, named: path) }
    try file.sync(name: path)
    return result
  }

  private static func overwriting(_ path: String) throws(FileError) -> OpenFile {
    do throws(FileError) {
      return try OpenFile.overwriting(path)
    } catch {
      throw FileError("write", path: path, code: error.code)
    }
  }

  /// Whether there is nothing or a regular file at `path`.
  package static func isPlain(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
  }

  /// - Returns: Whether everything was written; if not, `errno` says why.
  package static func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { ByteView.write($0, to: descriptor) }
  }
}
