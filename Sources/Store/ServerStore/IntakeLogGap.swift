internal import Files
internal import Bytes
internal import CFiles
internal import Compression
internal import Glibc

/// The part of a log, from the first of its records on, of which all is done: its room is given back to the
/// disk while the rest still waits. Without that a log whose first submissions are stored takes their room
/// a second time until its last one is stored.
///
/// The gap stands in the place of the first record, and only ever grows:
///
///     offset 8    4 bytes    "MayG"
///           12    4          CRC-32 of the next 8 bytes
///           16    8          where the gap ends and a record begins, little-endian
///           24    ...        zeros, up to there
///
/// It is written and synced before the bytes after it become zeros: whoever has read bytes and finds
/// the gap before them has read what was written.
enum IntakeLogGap {
  static let length = 16
  private static let magic: [UInt8] = Array("MayG".utf8)

  /// Where the records of a log begin, by the bytes at its start.
  static func end(in head: [UInt8]) -> Int {
    let start = IntakeLog.headLength
    guard head.count >= start + length else { return start }
    let number = Array(head[start + 8..<start + length])
    guard head[start..<start + 4].elementsEqual(magic),
      bytes(of: CRC32.checksum(of: ByteView(number))).elementsEqual(head[start + 4..<start + 8])
    else { return start }
    let end = number.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return max(start, Int(clamping: end))
  }

  /// Where the records of the log with a path begin.
  ///
  /// - Throws: `FileError`, with `ENOENT` for one that is gone.
  static func end(in path: String) throws(FileError) -> Int {
    try end(in: ByteView(reading: path, range: 0..<IntakeLog.headLength + length).array)
  }

  /// Makes it, and is on the disk when this returns. Nobody else makes one meanwhile.
  ///
  /// - Parameter end: Where a record begins, or the log ends; after the gap that there is.
  /// - Returns: The open file, for ``LogHole/punch()``.
  static func write(upTo end: Int, in path: String) throws(FileError) -> LogHole {
    let hole = try LogHole(path, IntakeLog.headLength + length..<end)
    let number = bytes(of: UInt64(end))
    let head = magic + bytes(of: CRC32.checksum(of: ByteView(number))) + number
    let isWritten = head.withUnsafeBytes {
      pwrite(hole.file.number, $0.baseAddress, $0.count, off_t(IntakeLog.headLength)) == $0.count
    }
    guard isWritten else { throw FileError("write", path: path) }
    try hole.file.sync(name: path)
    return hole
  }

  private static func bytes(of number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }
}

/// A part of a file that nobody needs any more.
final class LogHole: Sendable {
  fileprivate let file: OpenFile
  private let range: Range<Int>

  fileprivate init(_ path: String, _ range: Range<Int>) throws(FileError) {
    self.range = range
    file = try OpenFile.changing(path, isMade: false)
  }

  /// Gives its room back. On a file system that cannot, the room comes back with the whole file.
  func punch() { _ = files_punch_hole(file.number, off_t(range.lowerBound), off_t(range.count)) }
}
