internal import Bytes
internal import Files

/// Bytes that are kept in a file for a while.
final class ScratchFile {
  /// More bytes are mapped, not read: the core of a large process is among what waits.
  private static let mappedBytes = 64 << 20

  private let file: UnnamedFile
  private let folder: String
  private(set) var count = 0

  /// - Parameter folder: Where it takes its room.
  init(in folder: String) throws(FileError) {
    self.folder = folder
    file = try UnnamedFile(in: folder)
  }

  /// - Returns: Where the bytes are.
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
