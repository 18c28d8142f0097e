internal import Glibc

/// Large pages for large blocks: where the system has them, it gives two megabytes at the first touch
/// in place of four kilobytes, and a short run is not spent on touching.
enum LargePages {
  /// Blocks of fewer bytes are as well without.
  static let smallest = 1 << 20
  private static let pageSize = 1 << 12

  /// Asks for them; where there are none, nothing changes.
  @unsafe
  static func advise(_ block: UnsafeMutableRawPointer, _ size: Int) {
    let start = (Int(bitPattern: block) + pageSize - 1) & ~(pageSize - 1)
    let end = (Int(bitPattern: block) + size) & ~(pageSize - 1)
    guard start < end else { return }
    let error = errno
    _ = unsafe madvise(UnsafeMutableRawPointer(bitPattern: start), end - start, MADV_HUGEPAGE)
    errno = error
  }
}
