internal import Files

/// A folder in which one process works at a time; released when this object is deallocated, or its
/// process ends.
public final class FolderLock: Sendable {
  private static let name = "work"
  private let lock: LockFile

  /// - Returns: `nil` while another process works there, or where the folder is missing.
  public init?(_ folder: String) {
    guard let lock = try? LockFile(folder + "/" + Self.name) else { return nil }
    self.lock = lock
  }
}
