internal import Bytes
internal import Files
internal import Glibc

/// Folders in a home that belong to one process, left behind if it was killed: see ``ProcessFolder``.
public struct LeftFolders: Sendable {
  /// The folders that were left: sorted paths relative to the home, and the bytes of the files in them.
  public private(set) var paths: [String] = []
  public private(set) var bytes = 0
  private let home: String

  /// Minimum age in seconds: a process locks its folder right after creating it.
  private static let age = 60
  /// Maximum depth of nested folders.
  private static let depth = 16

  /// Finds the folders.
  public init(in home: String) {
    self.home = home
    for purpose in ProcessFolder.Purpose.allCases {
      let folder = purpose.parent(in: home)
      for name in FolderNames.of(folder).sorted() where name.hasPrefix(purpose.prefix) {
        let path = folder + "/" + name
        guard Self.hold(path) != nil else { continue }
        paths.append(String(path.dropFirst(home.utf8.count + 1)))
        bytes += Self.size(of: path, depth: Self.depth)
      }
    }
  }

  /// Removes the folders that still belong to no process.
  public func remove() {
    for path in paths {
      guard let hold = Self.hold(home + "/" + path) else { continue }
      withExtendedLifetime(hold) { Folder.remove(home + "/" + path) }
    }
  }

  /// - Returns: `nil` for a path that is not a folder, is in use, or was created just now.
  private static func hold(_ path: String) -> FolderHold? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      WallClock.seconds - status.st_mtim.tv_sec > age
    else { return nil }
    return FolderHold(path, alone: true)
  }

  private static func size(of path: String, depth: Int) -> Int {
    var status = stat()
    guard lstat(path, &status) == 0 else { return 0 }
    guard status.st_mode & S_IFMT == S_IFDIR else { return Int(status.st_size) }
    guard depth > 0 else { return 0 }
    return FolderNames.of(path).reduce(0) { $0 + size(of: path + "/" + $1, depth: depth - 1) }
  }
}
