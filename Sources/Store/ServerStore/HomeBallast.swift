internal import Files
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
    guard let file = try? OpenFile.making(path) else { return }
    if posix_fallocate(file.number, 0, Self.size) != 0 { unlink(path) }
  }

  /// Gives its room back.
  ///
  /// - Returns: Whether there was something to give.
  public func release() -> Bool { unlink(path) == 0 }
}
