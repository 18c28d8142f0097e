internal import Bytes
internal import Files
internal import Glibc

/// The regular files below paths, each once, in an order that depends on the names alone.
///
/// Symbolic links are followed; a folder or file that was met before is not met again, so a circle
/// of links ends.
struct FileTree {
  enum Item {
    case file(String)
    case refused(path: String, FileError)
  }

  private struct Identity: Hashable {
    let device: UInt64
    let number: UInt64
  }

  private var seen: Set<Identity> = []

  /// Hands everything at or below `root` to `body`.
  mutating func walk(_ root: String, body: (Item) -> Void) {
    // Paths still to be met, the next one last.
    var pending = [root]
    while let path = pending.popLast() {
      var status = stat()
      guard unsafe stat(path, &status) == 0 else {
        let error = FileError("open", path: path)
        // A link that leads nowhere hides nothing, unless it was asked for.
        if error.code != ENOENT || path == root { body(.refused(path: path, error)) }
        continue
      }
      let kind = status.st_mode & S_IFMT
      guard kind == S_IFREG || kind == S_IFDIR else { continue }
      let identity = Identity(
        device: UInt64(status.st_dev), number: UInt64(status.st_ino))
      guard seen.insert(identity).inserted else { continue }
      guard kind == S_IFDIR else {
        body(.file(path))
        continue
      }
      do throws(FileError) {
        let names = try Self.names(in: path)
        let prefix = path.hasSuffix("/") ? path : path + "/"
        pending += names.reversed().map { prefix + $0 }
      } catch {
        body(.refused(path: path, error))
      }
    }
  }

  /// The names in a folder, sorted by their bytes.
  private static func names(in path: String) throws(FileError) -> [String] {
    try FolderNames.listed(path).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
