internal import Files
internal import Bytes
internal import Glibc

/// A name of a process in `intake/`: a file that it holds locked as long as it lives.
final class LockedName: Sendable {
  let text: String
  private let file: LockedFile

  init(_ prefix: String, in store: ServerStore, pause: IntakePause = { _ in }) throws(FileError) {
    text = "\(prefix)\(getpid())-\(RandomBytes.hex(4))"
    file = try LockedFile(text, in: store.home + "/intake", pause: pause)
  }

  /// Whether a process lives that has the name; what others have left is cleared away.
  ///
  /// - Throws: `FileError` where it cannot be found out, such as without descriptors.
  static func isHeld(_ name: String, in store: ServerStore) throws(FileError) -> Bool {
    let path = store.home + "/intake/" + name
    let file: OpenFile
    do throws(FileError) {
      file = try OpenFile.changing(path, isMade: false)
    } catch {
      if error.code == ENOENT { return false }
      throw error
    }
    // Shared: two that look at a time must not take each other for its holder.
    guard try file.lock(.shared, name: path) else { return true }
    if (try? file.lock(.exclusive, name: path)) == true { unlink(path) }
    return false
  }

  /// How many names with a beginning are held.
  static func heldCount(_ prefix: String, in store: ServerStore) throws(FileError) -> Int {
    var count = 0
    for name in try FolderNames.listed(store.home + "/intake")
    where name.hasPrefix(prefix) && !name.hasSuffix(LockedFile.unfinished) {
      if try isHeld(name, in: store) { count += 1 }
    }
    return count
  }

  deinit { unlink(file.path) }
}
