internal import Glibc

/// The disk space that a home takes, in bytes.
public struct SpaceUse: Equatable, Sendable {
  /// Size on the disk, as `du` counts: whole blocks.
  public var disk = 0
  /// The database of apps, reports and groups, with its log and the files of its search index.
  public var database = 0
  /// Submissions and documents: the database of small contents with its log, and larger ones.
  public var contents = 0
  /// Debug files.
  public var debugFiles = 0
  /// Caches, which can be rebuilt.
  public var caches = 0

  /// Maximum nesting of the folders that are counted; a home has three levels.
  private static let depth = 8

  /// - Parameter home: The home folder; all sizes are 0 when it is missing.
  /// - Throws: `FileError` for a folder that cannot be read.
  public init(ofHome home: String) throws {
    var home = home
    while home.utf8.count > 1 && home.hasSuffix("/") { home.removeLast() }
    var folders = [(path: home, level: 0)]
    while let (folder, level) = folders.popLast() {
      disk += Self.blocks(folder)
      guard level < Self.depth else { continue }
      for name in try BlobFolder.names(in: folder) {
        let path = "\(folder)/\(name)"
        var status = stat()
        guard lstat(path, &status) == 0 else { continue }
        if status.st_mode & S_IFMT == S_IFDIR {
          folders.append((path, level + 1))
        } else {
          add(Int(status.st_blocks) * 512, of: path.dropFirst(home.count + 1))
        }
      }
    }
  }

  private mutating func add(_ size: Int, of path: Substring) {
    disk += size
    if path.hasPrefix("mayday.db") || path.hasPrefix("search/") {
      database += size
    } else if path.hasPrefix("caches/") {
      caches += size
    } else if path.hasPrefix("blobs/small.db") || path.hasSuffix(".zst") {
      contents += size
    } else if path.hasPrefix("blobs/") {
      debugFiles += size
    }
  }

  private static func blocks(_ path: String) -> Int {
    var status = stat()
    return lstat(path, &status) == 0 ? Int(status.st_blocks) * 512 : 0
  }

  public init(
    disk: Int = 0, database: Int = 0, contents: Int = 0, debugFiles: Int = 0, caches: Int = 0
  ) {
    self.disk = disk
    self.database = database
    self.contents = contents
    self.debugFiles = debugFiles
    self.caches = caches
  }
}
