internal import Bytes
internal import Glibc

/// A name of a process in `intake/`: a file that it holds locked as long as it lives.
final class HeldName: Sendable {
  let text: String
  private let path: String
  private let file: Int32

  init(_ prefix: String, in store: ServerStore) throws(FileError) {
    text = "\(prefix)\(getpid())-\(RandomBytes.hex(4))"
    path = Self.path(of: text, in: store)
    file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw FileError("open", path: path) }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else { throw FileError("lock", path: path) }
  }

  /// Whether a process lives that has the name; what others have left is cleared away.
  static func isHeld(_ name: String, in store: ServerStore) -> Bool {
    let path = path(of: name, in: store)
    let file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return false }
    defer { close(file) }
    guard flock(file, LOCK_SH | LOCK_NB) == 0 else { return errno == EWOULDBLOCK }
    unlink(path)
    return false
  }

  /// How many names with a beginning are held.
  static func heldCount(_ prefix: String, in store: ServerStore) -> Int {
    FolderNames.of(store.home + "/intake").count { $0.hasPrefix(prefix) && isHeld($0, in: store) }
  }

  private static func path(of name: String, in store: ServerStore) -> String {
    store.home + "/intake/" + name
  }

  deinit {
    unlink(path)
    close(file)
  }
}
