public import Bytes
internal import Files
internal import Glibc
public import SymbolCache

/// Symbol caches kept on disk between runs, within a size limit.
///
/// - A file is mapped and checked when it is opened; one that is damaged, truncated or of an older
///   version is rebuilt.
/// - The process that builds a cache locks the file into which it is written (`NAME.tmp`), so that
///   of two processes one builds it and the other waits. The lock ends with the process: a file
///   left by a killed one is taken over by the next that builds the same cache, and removed when
///   the folder is trimmed.
/// - The most recently used files stay; a use is recorded in the time of change.
public struct CacheFolder: Sendable {
  /// The default limit of all files of a folder together, in bytes.
  public static let standardBudget = 4 << 30
  /// Seconds after a recorded use during which no other is recorded.
  private static let noteInterval = 600

  private static let suffix = ".symcache"
  /// The suffix of the unwind rules next to a cache; they count, and are removed, like caches.
  private static let unwindSuffix = ".unwind"
  /// The suffix of lists of files on which a cache depends; they count, and are removed, like
  /// caches.
  private static let othersSuffix = ".beside"
  private static let temporarySuffix = ".tmp"
  /// The largest list that is kept, in bytes.
  private static let othersLimit = 1 << 20

  public let path: String
  /// In bytes.
  public let budget: Int

  /// - Parameters:
  ///   - path: Must belong to this user; it is created when the first cache is stored.
  ///   - budget: The most bytes of all caches together; the one in use may exceed it.
  public init(_ path: String, budget: Int = standardBudget) {
    self.path = path
    self.budget = budget
  }

  /// The cache stored under `name`; `nil` where there is none, or none that is valid.
  public func cache(named name: String) -> SymbolCache? {
    let path = cachePath(of: name)
    guard let bytes = try? ByteView(mapping: path), let cache = try? SymbolCache(opening: bytes)
    else { return nil }
    noteUse(of: path)
    return cache
  }

  /// The cache stored under `name`, built and stored if missing.
  ///
  /// A cache that cannot be stored costs time, not results: failures to write are ignored.
  ///
  /// - Parameter make: Compiles the cache.
  /// - Throws: The errors of `make`.
  public func cache(
    named name: String, make: () throws(ParseError) -> ByteView
  ) throws(ParseError) -> SymbolCache {
    if let cache = cache(named: name) { return cache }
    guard let file = newFile(cachePath(of: name)) else {
      return try SymbolCache(opening: make())
    }
    // Another process may have built it while this one waited for the lock.
    if let cache = cache(named: name) {
      file.remove()
      return cache
    }
    let bytes: ByteView
    do throws(ParseError) {
      bytes = try make()
    } catch {
      file.remove()
      throw error
    }
    keep(bytes, file, at: cachePath(of: name))
    trim(sparing: name)
    return try SymbolCache(opening: bytes)
  }

  /// The paths stored under `name`: those of the additional files from which a cache was built.
  public func others(of name: String) -> [String]? {
    let path = "\(path)/\(name)\(Self.othersSuffix)"
    guard let bytes = try? ByteView(reading: path, limit: Self.othersLimit) else { return nil }
    noteUse(of: path)
    return bytes.array.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Stores `paths` under `name`, if possible: they save time, not results.
  public func keep(others paths: [String], of name: String) {
    let bytes = ByteView(paths.joined(separator: "\0").utf8)
    let target = "\(path)/\(name)\(Self.othersSuffix)"
    guard bytes.count <= Self.othersLimit,
      let file = newFile(target)
    else { return }
    keep(bytes, file, at: target)
  }

  /// The file into which the one at `target` is written, locked: processes that build the same one
  /// wait here.
  ///
  /// - Returns: `nil` where it cannot be created.
  private func newFile(_ target: String) -> LockFile? {
    let path = target + Self.temporarySuffix
    if let file = try? LockFile(path, waits: true) { return file }
    guard (try? Folder.makeAll(self.path)) != nil else { return nil }
    return try? LockFile(path, waits: true)
  }

  private func keep(_ bytes: ByteView, _ file: LockFile, at target: String) {
    if (try? file.publish(bytes, at: target)) == nil { file.remove() }
  }

  private func cachePath(of name: String) -> String { "\(path)/\(name)\(Self.suffix)" }

  private func noteUse(of path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0,
      WallClock.seconds - status.st_mtim.tv_sec > Self.noteInterval
    else { return }
    _ = unsafe utimensat(AT_FDCWD, path, nil, 0)
  }

  // MARK: Room

  /// Removes the least recently used caches until the rest fits the budget, and files left by
  /// killed processes.
  ///
  /// - Parameter name: A cache that is never removed.
  public func trim(sparing name: String? = nil) {
    var files: [(used: Int, size: Int, path: String)] = []
    var size = 0
    for entry in FolderNames.of(path) {
      let path = "\(self.path)/\(entry)"
      if entry.hasSuffix(Self.suffix + Self.temporarySuffix)
        || entry.hasSuffix(Self.othersSuffix + Self.temporarySuffix)
      {
        LockFile(leftAt: path)?.remove()
        continue
      }
      var status = stat()
      guard
        [Self.suffix, Self.unwindSuffix, Self.othersSuffix].contains(where: entry.hasSuffix),
        unsafe stat(path, &status) == 0
      else { continue }
      size += Int(status.st_size)
      if entry != (name ?? "") + Self.suffix {
        files.append((status.st_mtim.tv_sec, Int(status.st_size), path))
      }
    }
    guard size > budget else { return }
    // Files used at the same time are ordered by name.
    files.sort { ($0.used, $0.path) < ($1.used, $1.path) }
    for file in files {
      if size <= budget { return }
      if unsafe unlink(file.path) == 0 { size -= file.size }
    }
  }
}
