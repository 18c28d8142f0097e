internal import Bytes
internal import Files
internal import Glibc

/// The name of a process in `intake/`: a file that it keeps locked as long as it lives.
final class LockedName: Sendable {
  let text: String
  private let file: LockedFile

  init(_ prefix: String, in store: ServerStore, pause: IntakePause = { _ in }) throws(FileError) {
    text = "\(prefix)\(getpid())-\(RandomBytes.hex(4))"
    file = try LockedFile(text, in: store.home + "/intake", pause: pause)
  }

  /// Whether a process with the name is alive; files left by dead processes are deleted.
  ///
  /// - Throws: `FileError` where that cannot be determined, such as without descriptors.
  static func isHeld(_ name: String, in store: ServerStore) throws(FileError) -> Bool {
    let path = store.home + "/intake/" + name
    let file: OpenFile
    do throws(FileError) {
      file = try OpenFile.changing(path, isMade: false)
    } catch {
      if error.code == ENOENT { return false }
      throw error
    }
    // Shared: two concurrent checks must not take each other for the holder.
    guard try file.lock(.shared, name: path) else { return true }
    if (try? file.lock(.exclusive, name: path)) == true { unlink(path) }
    return false
  }

  /// The number of held names with a prefix.
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
