internal import Bytes
internal import Files

/// The lock that tells whether this process was the first to start on the waiting reports.
///
/// It affects only speed: the second process starts at the other end, so that both meet in the middle instead
/// of doing everything twice. The lock is released when the process ends in any way.
final class ReprocessingLock {
  let isFirst: Bool
  private let lock: LockFile?

  init(home: String) {
    do throws(FileError) {
      lock = try LockFile(home + "/redo.lock")
      isFirst = lock != nil
    } catch {
      lock = nil
      isFirst = true
    }
  }
}
