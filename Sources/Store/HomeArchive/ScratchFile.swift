internal import Bytes
internal import Files

/// Bytes that are temporarily stored in a file.
final class ScratchFile {
  /// Larger ranges are mapped instead of read: a waiting submission may be the core of a large process.
  private static let mappedBytes = 64 << 20

  private let file: UnnamedFile
  private let folder: String
  private(set) var count = 0

  /// - Parameter folder: The folder whose disk holds the file.
  init(in folder: String) throws(FileError) {
    self.folder = folder
    file = try UnnamedFile(in: folder)
  }

  /// - Returns: The range of the bytes in the file.
  func append(_ bytes: ByteView) throws(FileError) -> Range<Int> {
    let start = count
    try bytes.write(to: file.file.number, named: "a file in \(folder)")
    count += bytes.count
    return start..<count
  }

  func bytes(_ range: Range<Int>) throws(FileError) -> ByteView {
    range.count > Self.mappedBytes
      ? try ByteView(mapping: file.path).clamped(range)
      : try ByteView(reading: file.path, range: range)
  }
}
