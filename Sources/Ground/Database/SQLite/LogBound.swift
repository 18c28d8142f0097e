internal import CSQLite
internal import Glibc

/// Keeps a write-ahead log short: checkpoints it when it is long, and also truncates its file when little
/// disk space is left.
///
/// Each page is written to the log first and, at the checkpoint, a second time to the database. A log that
/// grows until the disk is full can never be checkpointed.
final class LogBound {
  /// Pages after which the log is checkpointed.
  private let pages: Int
  private let path: String
  /// Milliseconds that a transaction waits for others.
  private let patience: Int32
  private let free: Connection.Free

  /// The log may take this share of the free disk space, and at least `least` bytes in any case.
  private static let share: UInt64 = 8
  private static let least: UInt64 = 256 << 10

  init(of path: String, _ options: Connection.Options) {
    self.path = path
    pages = options.logPages
    patience = options.patience
    free = options.free
  }

  /// Registers for each commit of the connection, which must not outlive this object.
  func attach(to handle: OpaquePointer) {
    let hook:
      @convention(c) (
        UnsafeMutableRawPointer?, OpaquePointer?, UnsafePointer<CChar>?, Int32
      ) -> Int32 = { context, handle, _, pages in
        if let context, let handle {
          Unmanaged<LogBound>.fromOpaque(context).takeUnretainedValue().committed(
            handle, Int(pages))
        }
        // The transaction has been committed, whatever happens to the log.
        return SQLITE_OK
      }
    sqlite3_wal_hook(handle, hook, Unmanaged.passUnretained(self).toOpaque())
  }

  private func committed(_ handle: OpaquePointer, _ pages: Int) {
    if isTooLarge {
      // Active readers and writers are not waited for: the next commit tries again.
      sqlite3_busy_timeout(handle, 0)
      sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
      sqlite3_busy_timeout(handle, patience)
    } else if pages >= self.pages {
      sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    }
  }

  /// Judged by the file, which keeps its largest size until it is truncated.
  private var isTooLarge: Bool {
    var status = stat()
    guard stat(path + "-wal", &status) == 0 else { return false }
    let size = UInt64(clamping: status.st_size)
    return size > Self.least && size > free(path) / Self.share
  }

  /// - Returns: The largest number where the disk cannot be examined.
  static let freeOnDisk: Connection.Free = { path in
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return .max }
    let (free, isLarge) = UInt64(status.f_bavail)
      .multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return isLarge ? .max : free
  }
}
