internal import Files

/// The lock of a folder itself, held as long as the object or its process lives.
final class FolderHold: Sendable {
  private let file: OpenFile

  /// - Parameter alone: Whether the lock is exclusive.
  /// - Returns: `nil` where the folder is missing, or is locked by another holder.
  init?(_ path: String, alone: Bool = false) {
    guard let file = try? OpenFile.opening(path),
      (try? file.lock(alone ? .exclusive : .shared, name: path)) == true
    else { return nil }
    self.file = file
  }
}
