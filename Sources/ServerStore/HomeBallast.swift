internal import Bytes
internal import Glibc

/// A file that takes up a little room, given back where a home on a full disk cannot be opened: SQLite
/// makes files beside its databases even to read them.
///
///     reserve    a mebibyte of nothing
public struct HomeBallast: Sendable {
  private static let size: off_t = 1 << 20
  private let path: String

  public init(of home: String) { path = home + "/reserve" }

  /// Makes the file where it is not there. On a disk that has no room for it nothing is left.
  public func make() {
    guard access(path, F_OK) != 0 else { return }
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return }
    defer { close(file) }
    if posix_fallocate(file, 0, Self.size) != 0 { unlink(path) }
  }

  /// Gives its room back.
  ///
  /// - Returns: Whether there was something to give.
  public func release() -> Bool { unlink(path) == 0 }
}
