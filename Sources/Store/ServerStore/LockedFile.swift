internal import Bytes
internal import Files
internal import Glibc

/// A new file that no process finds before this one holds its lock, which is kept as long as the object
/// lives.
///
/// The file is created under a temporary name, locked, filled and synced, and only then renamed. No
/// process locks a finished file again for writing: a process that finds one by its name and gets its
/// lock knows that its writer is done with it, and may remove it while the lock is held.
final class LockedFile: Sendable {
  let path: String
  let name: String
  private let file: OpenFile
  var number: Int32 { file.number }

  /// Suffix of the name of an unfinished file.
  static let unfinished = ".new"

  /// - Parameters:
  ///   - name: A name that is not in use.
  ///   - fill: Writes the initial content of the file.
  ///   - pause: Called after each step, so that tests can act like other processes.
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
      // The object closes the descriptor.
      unlink(new)
      throw error
    }
  }

  /// Whether the file still has its name: data written to a removed file is lost.
  var hasName: Bool { file.isNamed(path) }

  /// Waits until the written data is on disk.
  func sync() throws(FileError) { try file.sync(name: path) }

  /// Removes a file that no process holds. The lock is held from the check to the removal.
  ///
  /// - Parameter isOver: Whether the file may be removed, called under the lock.
  /// - Returns: Whether it was removed.
  @discardableResult
  static func remove(leftAt path: String, if isOver: () throws -> Bool = { true }) rethrows -> Bool
  {
    guard let left = LockFile(leftAt: path) else { return false }
    guard try isOver() else { return false }
    return left.remove()
  }
}

/// A step of storing a submission, after which other processes may do anything.
enum IntakeStep: CaseIterable, Sendable {
  /// Steps of a new file: it exists under another name, is locked, holds its initial content and is
  /// synced, has its name.
  case made, locked, filled, named
  /// Steps of a submission: it is in the log, is synced, may be trusted by readers.
  case written, synced, published
}

typealias IntakePause = @Sendable (IntakeStep) -> Void
