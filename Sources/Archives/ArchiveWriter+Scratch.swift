public import Bytes
internal import Glibc

extension ArchiveWriter {
  /// An archive in a file without a name, which is gone when the last view of it is.
  ///
  /// - Parameters:
  ///   - folder: Where the file may be.
  ///   - name: What to call it in errors.
  ///   - fill: Adds the members.
  /// - Throws: ``ArchiveWriteError``, what `fill` throws, or a `FileError` when the file cannot be
  ///   mapped.
  public static func scratch(
    in folder: String, named name: String, format: Format = .tarZstd,
    _ fill: (inout ArchiveWriter) throws -> Void
  ) throws -> ByteView {
    var template = Array((folder + "/mayday-XXXXXX").utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw FileError("make file", path: folder) }
    defer { close(descriptor) }
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var writer = try ArchiveWriter(to: descriptor, named: name, format: format)
    try fill(&writer)
    try writer.finish()
    return try ByteView(mapping: "/proc/self/fd/\(descriptor)")
  }
}
