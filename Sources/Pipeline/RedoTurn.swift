internal import Glibc

/// Whether this process was the first to begin with the reports that are to be done again.
///
/// Nothing depends on it but time: the second begins at the other end, so that two meet in the middle
/// in place of doing everything twice. The turn ends with the process, however that ends.
final class RedoTurn {
  let isFirst: Bool
  private let file: Int32

  init(home: String) {
    file = unsafe open(home + "/redo.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    isFirst = file < 0 || flock(file, LOCK_EX | LOCK_NB) == 0
  }

  deinit { if file >= 0 { close(file) } }
}
