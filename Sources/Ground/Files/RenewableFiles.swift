internal import Glibc

/// Files of one folder that can be made again, within a size limit.
///
/// - Whoever makes a file locks `NAME.tmp`, so that of two processes one makes it and the other waits. The
///   lock ends with the process: a file left by a killed one is taken over by the next that makes the same
///   file, and removed when the folder is trimmed.
/// - The most recently used files stay; a use is recorded in the time of change.
public struct RenewableFiles: Sendable {
  /// Seconds after a recorded use during which no other is recorded.
  private static let noteInterval = 600
  private static let temporarySuffix = ".tmp"

  /// The folder.
  public let path: String
  /// The most bytes of all files together.
  public let budget: Int
  private let suffixes: [String]

  /// - Parameters:
  ///   - path: Must belong to this user; it is created when the first file is made.
  ///   - budget: The most bytes of all files together; the one in use may exceed it.
  ///   - suffixes: Those of the names of the files. Other files are left alone, and do not count.
  public init(_ path: String, budget: Int, suffixes: [String]) {
    self.path = path
    self.budget = budget
    self.suffixes = suffixes
  }

  public func path(of name: String) -> String { "\(path)/\(name)" }

  /// The lock file of a name, which may become the file: processes that make the same one wait here.
  ///
  /// - Returns: `nil` where it cannot be created.
  public func lock(_ name: String) -> LockFile? {
    let path = path(of: name) + Self.temporarySuffix
    if let file = try? LockFile(path, waits: true) { return file }
    guard (try? Folder.makeAll(self.path)) != nil else { return nil }
    return try? LockFile(path, waits: true)
  }

  /// Records that a file was used.
  public func noteUse(of name: String) {
    let path = path(of: name)
    var status = stat()
    guard stat(path, &status) == 0,
      WallClock.seconds - status.st_mtim.tv_sec > Self.noteInterval
    else { return }
    _ = utimensat(AT_FDCWD, path, nil, 0)
  }

  /// Removes the least recently used files until the rest fits the budget, and lock files left by killed
  /// processes.
  ///
  /// - Parameter name: A file that is never removed.
  /// - Complexity: O(n log n) in the files of the folder.
  public func trim(sparing name: String? = nil) {
    var files: [(used: Int, size: Int, path: String)] = []
    var size = 0
    for entry in FolderNames.of(path) {
      let path = path(of: entry)
      if suffixes.contains(where: { entry.hasSuffix($0 + Self.temporarySuffix) }) {
        LockFile(leftAt: path)?.remove()
        continue
      }
      var status = stat()
      guard suffixes.contains(where: entry.hasSuffix), stat(path, &status) == 0 else { continue }
      size += Int(status.st_size)
      if entry != name { files.append((status.st_mtim.tv_sec, Int(status.st_size), path)) }
    }
    guard size > budget else { return }
    // Files used at the same time are ordered by name.
    files.sort { ($0.used, $0.path) < ($1.used, $1.path) }
    for file in files {
      if size <= budget { return }
      if unlink(file.path) == 0 { size -= file.size }
    }
  }
}
