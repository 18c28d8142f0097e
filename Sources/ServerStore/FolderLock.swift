internal import Glibc

/// A folder that one process works on at a time; free again when this goes, or its process ends.
public final class FolderLock: Sendable {
  private static let name = "work"
  private let file: Int32

  /// - Returns: `nil` while another one works there, or where there is no such folder.
  public init?(_ folder: String) {
    let file = open(folder + "/" + Self.name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return nil }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      close(file)
      return nil
    }
    self.file = file
  }

  deinit { close(file) }
}
