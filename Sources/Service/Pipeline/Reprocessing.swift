internal import Bytes
internal import Files

/// Whether this process was the first to begin with the reports that wait to be reprocessed.
///
/// Nothing depends on it but time: the second begins at the other end, so that two meet in the
/// middle in place of doing everything twice. The turn ends with the process, however that ends.
final class Reprocessing {
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
