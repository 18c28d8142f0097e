public import Bytes
internal import Glibc

/// The name of a worker, held as long as its process lives: what it has taken is taken back as soon as
/// nobody holds the name.
public final class WorkerLease: Sendable {
  /// The name.
  public let name: String
  private let path: String
  private let file: Int32

  /// - Throws: `FileError` when the file that is held cannot be made.
  public init(in store: ServerStore) throws(FileError) {
    name = "worker-\(getpid())-\(RandomBytes.hex(4))"
    path = Self.path(of: name, in: store)
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

  private static func path(of name: String, in store: ServerStore) -> String {
    store.home + "/intake/" + name
  }

  deinit {
    unlink(path)
    close(file)
  }
}
