internal import Files

/// The lock of a folder itself, held as long as the object lives, or its process.
public final class FolderHold: Sendable {
  private let file: OpenFile

  /// - Parameter alone: Whether nobody else may hold it.
  /// - Returns: `nil` where there is no such folder, or another one holds it.
  public init?(_ path: String, alone: Bool = false) {
    guard let file = try? OpenFile.opening(path),
      (try? file.lock(alone ? .exclusive : .shared, name: path)) == true
    else { return nil }
    self.file = file
  }
}
