internal import Bytes
internal import Glibc

/// A new file that nobody finds before this process holds its lock, which it keeps as long as the
/// object lives.
///
/// The file is made under a name that nobody looks for, locked, filled and synced, and only then gets
/// its own. Nobody locks a finished file again to write: whoever finds one by its name and gets its lock
/// knows that its writer is done with it for good, and may remove it while the lock is held.
final class HeldFile: Sendable {
  let path: String
  let name: String
  let number: Int32

  /// What follows the name of a file that is not finished.
  static let unfinished = ".new"

  /// - Parameters:
  ///   - name: A new one.
  ///   - fill: Writes to the file what it holds from the beginning.
  ///   - pause: Called after each step, so that tests can do what others might do then.
  init(
    _ name: String, in folder: String, pause: IntakePause = { _ in },
    fill: (Int32) throws(FileError) -> Void = { _ in }
  ) throws(FileError) {
    self.name = name
    path = folder + "/" + name
    let new = path + Self.unfinished
    number = open(new, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard number >= 0 else { throw FileError("open", path: new) }
    do throws(FileError) {
      pause(.made)
      guard flock(number, LOCK_EX | LOCK_NB) == 0 else { throw FileError("lock", path: new) }
      pause(.locked)
      try fill(number)
      pause(.filled)
      guard rename(new, path) == 0 else { throw FileError("rename", path: new) }
      pause(.named)
      guard hasName else { throw FileError("keep", path: path, code: ENOENT) }
    } catch {
      // The descriptor is closed with the object.
      unlink(new)
      throw error
    }
  }

  /// Whether the file still has its name: what is written to one that was removed is lost.
  var hasName: Bool { Self.isNamed(number, path) }

  /// Removes a file that nobody holds. The lock is held from the check to the removal.
  ///
  /// - Parameter isOver: Whether the file may go, asked under the lock.
  /// - Returns: Whether it was removed.
  @discardableResult
  static func remove(leftAt path: String, if isOver: () throws -> Bool = { true }) rethrows -> Bool
  {
    guard let left = LeftFile(path) else { return false }
    guard try isOver() else { return false }
    return left.remove()
  }

  fileprivate static func isNamed(_ number: Int32, _ path: String) -> Bool {
    var own = stat()
    var named = stat()
    return fstat(number, &own) == 0 && own.st_nlink > 0 && lstat(path, &named) == 0
      && own.st_ino == named.st_ino && own.st_dev == named.st_dev
  }

  deinit { if number >= 0 { close(number) } }
}

/// A file whose writer is gone, with its lock: nobody else removes it meanwhile.
final class LeftFile {
  let path: String
  var name: String { path.split(separator: "/").last.map(String.init) ?? "" }
  private let number: Int32

  /// - Returns: `nil` where there is none, or somebody holds it.
  init?(_ path: String) {
    self.path = path
    number = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard number >= 0, flock(number, LOCK_EX | LOCK_NB) == 0, HeldFile.isNamed(number, path) else {
      return nil
    }
  }

  func remove() -> Bool { unlink(path) == 0 }

  deinit { if number >= 0 { close(number) } }
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
