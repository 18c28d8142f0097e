internal import Bytes
internal import Files
internal import Glibc

/// A small file that is deleted when a home on a full disk cannot be opened: SQLite creates files
/// beside its databases even to read them.
///
///     reserve    a mebibyte of zeros
public struct ReserveFile: Sendable {
  private static let size: off_t = 1 << 20
  private let path: String

  public init(of home: String) { path = home + "/reserve" }

  /// Creates the file if it is missing. On a disk that has no space for it, nothing is left.
  public func make() {
    guard access(path, F_OK) != 0 else { return }
    guard let file = try? OpenFile.making(path) else { return }
    if posix_fallocate(file.number, 0, Self.size) != 0 { unlink(path) }
  }

  /// Frees the space.
  ///
  /// - Returns: Whether there was a file to delete.
  public func release() -> Bool { unlink(path) == 0 }
}
