public import Bytes
internal import Glibc

/// A new file that no process finds before this one holds its lock, which is kept as long as the object
/// lives.
///
/// The file is created under a temporary name, locked, filled and synced, and only then renamed. No
/// process locks a finished file again for writing: a process that finds one by its name and gets its
/// lock knows that its writer is done with it, and may remove it while the lock is held.
public final class LockedFile: Sendable {
  /// Steps of making a file, after which other processes may do anything: it exists under another name, is
  /// locked, holds its initial content and is synced, has its name.
  public enum Step: Sendable {
    case made, locked, filled, named
  }

  public let path: String
  public let name: String
  private let file: OpenFile
  public var number: Int32 { file.number }

  /// Suffix of the name of an unfinished file.
  public static let unfinished = ".new"

  /// - Parameters:
  ///   - name: A name that is not in use.
  ///   - pause: Called after each step, so that tests can act like other processes.
  ///   - fill: Writes the initial content of the file.
  public init(
    _ name: String, in folder: String, pause: (Step) -> Void = { _ in },
    fill: (borrowing OpenFile) throws(FileError) -> Void = { _ in }
  ) throws(FileError) {
    self.name = name
    path = folder + "/" + name
    let new = path + Self.unfinished
    file = try OpenFile.making(new)
    do throws(FileError) {
      pause(.made)
      guard try file.lock(.exclusive, name: new) else {
        throw FileError("lock", path: new, code: EWOULDBLOCK)
      }
      pause(.locked)
      try fill(file)
      try sync()
      pause(.filled)
      try Folder.rename(new, to: path)
      pause(.named)
      guard hasName else { throw FileError("keep", path: path, code: ENOENT) }
    } catch {
      // The object closes the descriptor.
      unlink(new)
      throw error
    }
  }

  /// Whether the file still has its name: data written to a removed file is lost.
  public var hasName: Bool { file.isNamed(path) }

  /// Waits until the written data is on disk.
  public func sync() throws(FileError) { try file.sync(name: path) }

  /// Removes a file that no process holds. The lock is held from the check to the removal.
  ///
  /// - Parameter isOver: Whether the file may be removed, called under the lock.
  /// - Returns: Whether it was removed.
  @discardableResult
  public static func remove(
    leftAt path: String, if isOver: () throws -> Bool = { true }
  ) rethrows -> Bool {
    guard let left = LockFile(leftAt: path) else { return false }
    guard try isOver() else { return false }
    return left.remove()
  }
}
