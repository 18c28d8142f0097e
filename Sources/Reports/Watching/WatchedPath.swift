/// A file or a folder below one of the watched folders.
struct WatchedPath: Hashable, Sendable {
  /// The index of the watched folder.
  let root: Int
  /// The names from there down, with `/` between them; empty for the watched folder itself.
  let path: [UInt8]

  func child(_ name: some Collection<UInt8>) -> WatchedPath {
    WatchedPath(root: root, path: path.isEmpty ? Array(name) : path + [0x2f] + name)
  }

  var name: [UInt8] { Array(path[nameStart...]) }

  var folder: WatchedPath { WatchedPath(root: root, path: Array(path[..<max(nameStart - 1, 0)])) }

  /// The names from the watched folder down.
  var names: [[UInt8]] { path.split(separator: 0x2f).map(Array.init) }

  /// An order that keeps the files of a folder together.
  func isBefore(_ other: WatchedPath) -> Bool {
    if root != other.root { return root < other.root }
    let (mine, others) = (folder.path, other.folder.path)
    return mine == others
      ? path.lexicographicallyPrecedes(other.path) : mine.lexicographicallyPrecedes(others)
  }

  private var nameStart: Int { path.lastIndex(of: 0x2f).map { $0 + 1 } ?? 0 }
}
