internal import Bytes
internal import Dispatch
internal import Files
internal import Glibc
internal import Identifiers
internal import Synchronization

/// Files to which submissions are written before they are acknowledged. They are beside the database and
/// only grow, so that accepting one waits for a single sync and never for users of the database.
///
///     intake/<microseconds since 1970>-<random>.log
///       8 bytes    the synced length of the file, little-endian
///       records    see ``IntakeLogRecord``; a gap in the place of finished ones, see ``IntakeLogGap``
///
/// The writer holds a lock on its file from before it has its name: see ``LockedFile``. While it does,
/// readers trust the first eight bytes; once the file is not held, it ends at the first record that fails
/// its check. A file is closed when it is large or some seconds old. A process that deletes it, when
/// everything in it is done, holds its lock meanwhile; and the writer acknowledges nothing in a file that
/// has lost its name.
final class IntakeLog: Sendable {
  static let suffix = ".log"
  static let headLength = 8

  /// Maximum number of buffers in one write. Source: limits.h of Linux, UIO_MAXIOV.
  private static let mostVectors = 1_024

  private let folder: String
  private let limits: IntakeLimits
  private let current = Mutex<Segment?>(nil)

  private struct Segment {
    /// The lock is released with the last reference.
    let file: LockedFile
    var size: Int
  }

  /// How often a log may be deleted under the writer before the submission is refused.
  private static let attempts = 3
  /// Lets tests act between the steps.
  private let pause: IntakePause

  init(in folder: String, limits: IntakeLimits, pause: @escaping IntakePause = { _ in }) {
    self.folder = folder
    self.limits = limits
    self.pause = pause
  }

  /// Where records were written.
  struct Place {
    let name: String
    let offset: Int
  }

  /// Appends records that are on disk when this returns: all of them or none.
  func append(_ records: [IntakeLogRecord]) throws(FileError) -> Place {
    for _ in 0..<Self.attempts {
      if let place = try keep(records) { return place }
    }
    throw FileError("keep", path: folder, code: ENOENT)
  }

  /// - Returns: `nil` where the file had lost its name when the records were written.
  private func keep(_ records: [IntakeLogRecord]) throws(FileError) -> Place? {
    let result = current.withLock { current -> Result<Place?, FileError> in
      do throws(FileError) {
        var segment = if let current { current } else { try open() }
        current = nil
        let size = segment.size
        do throws(FileError) {
          try Self.write(records, to: segment.file.number, at: size)
        } catch {
          // Such as on a full disk. Partial records are cut off; readers have not seen them.
          if ftruncate(segment.file.number, off_t(size)) == 0 { current = segment }
          throw error
        }
        pause(.written)
        // After a failed sync the state of the disk is unknown: the next submission begins a new file.
        do throws(FileError) {
          try segment.file.sync()
        } catch {
          ftruncate(segment.file.number, off_t(size))
          throw error
        }
        pause(.synced)
        segment.size += records.reduce(0) { $0 + $1.count }
        try Self.publish(segment.size, in: segment.file.number)
        pause(.published)
        guard segment.file.hasName else { return .success(nil) }
        if segment.size < limits.logBytes { current = segment }
        return .success(Place(name: segment.file.name, offset: size))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Closes the current file: the next submission begins a new one.
  func rotate() { current.withLock { $0 = nil } }

  private func open() throws(FileError) -> Segment {
    // Names sort by age, so that the oldest submissions are handed out first.
    let time = String(Self.now.microseconds, radix: 16)
    let name =
      String(repeating: "0", count: max(0, 16 - time.utf8.count)) + time + "-"
      + RandomBytes.hex(4) + Self.suffix
    let file = try LockedFile(name, in: folder, pause: IntakeStep.ofFile(pause)) {
      (file: borrowing OpenFile) throws(FileError) in
      try Self.publish(Self.headLength, in: file.number)
    }
    let segment = Segment(file: file, size: Self.headLength)
    do throws(FileError) {
      try BodyFolder(path: folder).sync()
    } catch {
      unlink(file.path)
      throw error
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(limits.logSeconds)) {
      [weak self] in
      self?.current.withLock { current in
        if current?.file.name == name { current = nil }
      }
    }
    return segment
  }

  /// The time, by the machine's clock.
  static var now: Timestamp { Timestamp(microseconds: WallClock.microseconds) }

  private static func publish(_ size: Int, in file: Int32) throws(FileError) {
    let isWritten = withUnsafeBytes(of: UInt64(size).littleEndian) {
      pwrite(file, $0.baseAddress, $0.count, 0) == $0.count
    }
    guard isWritten else { throw FileError("write", path: "the intake log") }
  }

  private static func write(
    _ records: [IntakeLogRecord], to file: Int32, at start: Int
  ) throws(FileError) {
    var offset = start
    // Each record has two buffers.
    var rest = records[...]
    while !rest.isEmpty {
      let group = rest.prefix(mostVectors / 2)
      rest = rest.dropFirst(group.count)
      try write(pieces: group.flatMap { [$0.head, $0.body] }[...], to: file, at: &offset)
    }
  }

  private static func write(
    pieces: ArraySlice<ByteView>, to file: Int32, at offset: inout Int
  ) throws(FileError) {
    var pieces = pieces.filter { !$0.isEmpty }[...]
    while !pieces.isEmpty {
      let count = withVectors(of: pieces) {
        pwritev(file, $0.baseAddress, Int32($0.count), off_t(offset))
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw FileError("write", path: "the intake log") }
      offset += count
      var left = count
      while let piece = pieces.first, left >= piece.count {
        left -= piece.count
        pieces.removeFirst()
      }
      if left > 0, let piece = pieces.first {
        pieces[pieces.startIndex] = piece.clamped(left..<piece.count)
      }
    }
  }

  private static func withVectors<Result>(
    of pieces: ArraySlice<ByteView>, _ body: (UnsafeBufferPointer<iovec>) -> Result
  ) -> Result {
    var vectors: [iovec] = []
    vectors.reserveCapacity(pieces.count)
    for piece in pieces {
      piece.withUnsafeBytes {
        vectors.append(
          iovec(iov_base: UnsafeMutableRawPointer(mutating: $0.baseAddress), iov_len: $0.count))
      }
    }
    // The views are kept alive by the caller's list.
    return withExtendedLifetime(pieces) { vectors.withUnsafeBufferPointer(body) }
  }
}
