internal import Bytes
internal import CFiles
internal import Compression
internal import Files
internal import Glibc

/// The part at the start of a log in which everything is done: its disk space is freed while the rest still
/// waits. Without it, stored submissions would take space a second time until the last one of their log is
/// stored.
///
/// The gap replaces the first record, and only ever grows:
///
///     offset 8    4 bytes    "MayG"
///           12    4          CRC-32 of the next 8 bytes
///           16    8          offset at which the gap ends and a record begins, little-endian
///           24    ...        zeros, up to there
///
/// It is written and synced before the bytes after it become zeros: a reader that has read bytes and then
/// finds that the gap ends before them has read valid data.
enum IntakeLogGap {
  static let length = 16
  private static let magic: [UInt8] = Array("MayG".utf8)

  /// Offset of the first record of a log, from the bytes at its start.
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

  /// Offset of the first record of the log at a path.
  ///
  /// - Throws: `FileError`, with `ENOENT` for a deleted log.
  static func end(in path: String) throws(FileError) -> Int {
    try end(in: ByteView(reading: path, range: 0..<IntakeLog.headLength + length).array)
  }

  /// Writes the gap, which is on disk when this returns. No other process writes one meanwhile.
  ///
  /// - Parameter end: The offset of a record, or the end of the log; after the present gap.
  /// - Returns: The open file, for ``FreedLogRange/punch()``.
  static func write(upTo end: Int, in path: String) throws(FileError) -> FreedLogRange {
    let hole = try FreedLogRange(path, IntakeLog.headLength + length..<end)
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

/// A part of a file that is no longer needed.
final class FreedLogRange: Sendable {
  fileprivate let file: OpenFile
  private let range: Range<Int>

  fileprivate init(_ path: String, _ range: Range<Int>) throws(FileError) {
    self.range = range
    file = try OpenFile.changing(path, isMade: false)
  }

  /// Frees its space. On a file system that cannot, the space is freed with the whole file.
  func punch() { _ = files_punch_hole(file.number, off_t(range.lowerBound), off_t(range.count)) }
}
