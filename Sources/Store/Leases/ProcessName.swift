internal import Bytes
internal import Files
internal import Glibc

/// The name of a process: a file that it keeps locked as long as it lives.
final class ProcessName: RoleLease {
  let name: String
  private let file: LockedFile

  /// - Parameter pause: Called after each step of making the file.
  init(
    _ prefix: String, in folder: String, pause: (LockedFile.Step) -> Void = { _ in }
  ) throws(FileError) {
    let digits = String(UInt32.random(in: 0...UInt32.max), radix: 16)
    name = "\(prefix)\(getpid())-" + String(repeating: "0", count: 8 - digits.utf8.count) + digits
    file = try LockedFile(name, in: folder, pause: pause)
  }

  /// Whether a process with the name is alive; files left by dead processes are deleted.
  ///
  /// - Throws: `FileError` where that cannot be determined, such as without descriptors.
  static func isHeld(_ name: String, in folder: String) throws(FileError) -> Bool {
    let path = folder + "/" + name
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
  static func heldCount(_ prefix: String, in folder: String) throws(FileError) -> Int {
    var count = 0
    for name in try FolderNames.listed(folder)
    where name.hasPrefix(prefix) && !name.hasSuffix(LockedFile.unfinished) {
      if try isHeld(name, in: folder) { count += 1 }
    }
    return count
  }

  deinit { unlink(file.path) }
}
