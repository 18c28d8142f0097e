public import Bytes
internal import Files

extension ArchiveWriter {
  /// An archive in an unnamed file, which is deleted when the last view of it is released.
  ///
  /// - Parameters:
  ///   - folder: The folder that holds the file.
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
