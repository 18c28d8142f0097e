internal import Bytes
internal import Files
internal import Glibc

/// A file of an ``IntakeLog``, for reading.
struct IntakeLogFile {
  let name: String
  /// Whether its writer is done with it.
  let isClosed: Bool
  /// Number of trusted bytes, from the start of the file.
  let count: Int
  /// The length that its writer recorded as synced: everything up to there was acknowledged. After a
  /// power loss, more may have been.
  let synced: Int
  /// Offset of its first record: after the header, or after the gap.
  let start: Int
  private let path: String

  /// Approximate maximum number of bytes in memory at a time.
  private static let window = 4 << 20

  /// - Parameter isClosed: Whether the caller holds its lock; otherwise this tries to lock it.
  /// - Returns: `nil` for a deleted file.
  init?(
    _ name: String, in folder: String, isClosed isHeld: Bool = false
  ) throws(FileError) {
    self.name = name
    path = folder + "/" + name
    let file: OpenFile
    do throws(FileError) {
      file = try OpenFile.changing(path, isMade: false)
    } catch {
      if error.code == ENOENT { return nil }
      throw error
    }
    isClosed = isHeld ? true : (try? file.lock(.shared, name: path)) == true
    let head = try file.head(IntakeLog.headLength + IntakeLogGap.length, name: path).array
    start = IntakeLogGap.end(in: head)
    let told =
      head.count < IntakeLog.headLength
      ? 0 : head.prefix(IntakeLog.headLength).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let size = Int(try file.status(name: path).st_size)
    synced = Int(clamping: told)
    // A closed file is read to its end: a writer that was killed may not have recorded its last sync.
    count = isClosed ? size : min(synced, size)
  }

  /// A range of its bytes.
  func bytes(_ range: Range<Int>) throws(FileError) -> ByteView {
    try ByteView(reading: path, range: range.clamped(to: 0..<count))
  }

  /// Calls `body` with each record from `offset` on, until it answers `false`.
  ///
  /// - Parameter isChecked: Whether to verify the checksums of bodies, which reads them.
  /// - Returns: What followed the last record: ``IntakeLogRecord/Reading/end`` or damage; `nil` where
  ///   `body` stopped the reading.
  func read(
    from offset: inout Int, isChecked: Bool, _ body: (IntakeLogRecord.Entry) throws -> Bool
  ) throws -> IntakeLogRecord.Reading? {
    offset = max(offset, self.start)
    var window = ByteView.empty
    var start = offset
    var length = isChecked ? Self.window : Self.peek
    while true {
      var position = offset - start
      switch IntakeLogRecord.read(window, at: &position, isChecked: isChecked, isWhole: isChecked) {
      case .record(let entry):
        let moved = entry.moved(by: start)
        offset = start + position
        if try !body(moved) { return nil }
        if !isChecked {
          (window, start) = (.empty, offset)
        }
      case .end where start + window.count < count && (window.isEmpty || offset > start):
        // The rest of the window is the beginning of a record.
        start = offset
        window = try bytes(start..<start + length)
      case .end where start + window.count < count && window.count == length:
        length *= 2
        window = try bytes(start..<start + length)
      case let other: return other
      }
    }
  }

  /// Enough bytes of a record to determine its length in nearly all cases.
  private static let peek = 1 << 10

  /// The names of all logs in a folder, oldest first.
  ///
  /// - Throws: `FileError` where the folder cannot be read: that does not mean that it has no logs.
  static func names(in folder: String) throws(FileError) -> [String] {
    try FolderNames.listed(folder).filter { $0.hasSuffix(IntakeLog.suffix) }.sorted()
  }
}
