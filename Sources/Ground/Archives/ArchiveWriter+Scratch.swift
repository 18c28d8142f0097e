public import Bytes
internal import Files

extension ArchiveWriter {
  /// An archive in a file without a name, which is gone when the last view of it is.
  ///
  /// - Parameters:
  ///   - folder: Where the file may be.
  ///   - name: Its name in errors.
  ///   - fill: Adds the members.
  /// - Throws: ``ArchiveWriteError``, what `fill` throws, or a `FileError` when the file cannot be
  ///   mapped.
  public static func scratch(
    in folder: String, named name: String, format: Format = .tarZstd,
    _ fill: (inout ArchiveWriter) throws -> Void
  ) throws -> ByteView {
    let scratch = try UnnamedFile(in: folder)
    var writer = try ArchiveWriter(to: scratch.file.number, named: name, format: format)
    try fill(&writer)
    try writer.finish()
    return try ByteView(mapping: scratch.path)
  }
}
