internal import Files
internal import Bytes
internal import Glibc

/// An ``IntakeLog``'s file as its readers see it.
struct IntakeLogFile {
  let name: String
  /// Whether nobody writes to it any more.
  let isClosed: Bool
  /// How many bytes may be believed, from the start of the file.
  let count: Int
  /// How far its writer told that it is synced: up to there all was acknowledged. After a loss of power
  /// it may have been further.
  let synced: Int
  /// Where its records begin: after the head, or after the gap.
  let start: Int
  private let path: String

  /// About the most bytes that are in memory at a time.
  private static let window = 4 << 20

  /// - Parameter isClosed: Whether the caller holds its lock; else whoever looks tries it.
  /// - Returns: `nil` for a file that is gone.
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
    // Closed, it is read to its end: a writer that was killed may not have told how far it came.
    count = isClosed ? size : min(synced, size)
  }

  /// A part of it.
  func bytes(_ range: Range<Int>) throws(FileError) -> ByteView {
    try ByteView(reading: path, range: range.clamped(to: 0..<count))
  }

  /// Calls `body` with each record from `offset` on, until it answers `false`.
  ///
  /// - Parameter isChecked: Whether bodies are checked, which reads them.
  /// - Returns: What was behind the last: ``IntakeLogRecord/Reading/end`` or damage; `nil` where `body`
  ///   ended it.
  func read(
    from offset: inout Int, isChecked: Bool, _ body: (IntakeLogRecord.Entry) throws -> Bool
  ) throws -> IntakeLogRecord.Reading? {
    offset = max(offset, self.start)
    var window = ByteView.empty
    var start = offset
    var length = isChecked ? Self.window : Self.peek
    while true {
      var place = offset - start
      switch IntakeLogRecord.read(window, at: &place, isChecked: isChecked, isWhole: isChecked) {
      case .record(let entry):
        let moved = entry.moved(by: start)
        offset = start + place
        if try !body(moved) { return nil }
        if !isChecked {
          (window, start) = (.empty, offset)
        }
      case .end where start + window.count < count && (window.isEmpty || offset > start):
        // The rest of the window is the beginning of one.
        start = offset
        window = try bytes(start..<start + length)
      case .end where start + window.count < count && window.count == length:
        length *= 2
        window = try bytes(start..<start + length)
      case let other: return other
      }
    }
  }

  /// Enough of a record to know how long it is, nearly always.
  private static let peek = 1 << 10

  /// The names of all in a folder, the oldest first.
  ///
  /// - Throws: `FileError` where the folder cannot be read: that is not a folder without logs.
  static func names(in folder: String) throws(FileError) -> [String] {
    try FolderNames.listed(folder).filter { $0.hasSuffix(IntakeLog.suffix) }.sorted()
  }
}
