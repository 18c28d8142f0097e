internal import Bytes
internal import Files
internal import Glibc

/// A new file that nobody finds before this process holds its lock, which it keeps as long as the
/// object lives.
///
/// The file is made under a name that nobody looks for, locked, filled and synced, and only then gets
/// its own. Nobody locks a finished file again to write: whoever finds one by its name and gets its lock
/// knows that its writer is done with it for good, and may remove it while the lock is held.
final class LockedFile: Sendable {
  let path: String
  let name: String
  private let file: OpenFile
  var number: Int32 { file.number }

  /// What follows the name of a file that is not finished.
  static let unfinished = ".new"

  /// - Parameters:
  ///   - name: A new one.
  ///   - fill: Writes to the file what it holds from the beginning.
  ///   - pause: Called after each step, so that tests can do what others might do then.
  init(
    _ name: String, in folder: String, pause: IntakePause = { _ in },
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
      // The descriptor is closed with the object.
      unlink(new)
      throw error
    }
  }

  /// Whether the file still has its name: what is written to one that was removed is lost.
  var hasName: Bool { file.isNamed(path) }

  /// Waits until what was written to it is on the disk.
  func sync() throws(FileError) { try file.sync(name: path) }

  /// Removes a file that nobody holds. The lock is held from the check to the removal.
  ///
  /// - Parameter isOver: Whether the file may go, asked under the lock.
  /// - Returns: Whether it was removed.
  @discardableResult
  static func remove(leftAt path: String, if isOver: () throws -> Bool = { true }) rethrows -> Bool
  {
    guard let left = LockFile(leftAt: path) else { return false }
    guard try isOver() else { return false }
    return left.remove()
  }
}

/// A step of keeping a submission, after which others may do anything.
enum IntakeStep: CaseIterable, Sendable {
  /// Of a new file: it exists, under another name; it is locked; it holds its beginning, synced; it has
  /// its name.
  case made, locked, filled, named
  /// Of a submission: it is in the log; it is synced; readers may believe it.
  case written, synced, published
}

typealias IntakePause = @Sendable (IntakeStep) -> Void
