internal import Files

/// A folder that one process works on at a time; free again when this goes, or its process ends.
public final class FolderLock: Sendable {
  private static let name = "work"
  private let lock: LockFile

  /// - Returns: `nil` while another one works there, or where there is no such folder.
  public init?(_ folder: String) {
    guard let lock = try? LockFile(folder + "/" + Self.name) else { return nil }
    self.lock = lock
  }
}
