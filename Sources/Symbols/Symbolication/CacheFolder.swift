internal import Files
public import Bytes
internal import Files
internal import Glibc
public import SymbolCache

/// Symbol caches that stay on disk from run to run, in a room of a stated size.
///
/// - A file is mapped and checked when it is opened; what is damaged, cut off or of an older
///   version is rebuilt.
/// - Who makes a cache locks the file into which it is written (`NAME.tmp`), so that of two
///   processes one makes it and the other waits. The lock ends with the process: what one leaves
///   that was killed is taken over by the next that makes the same cache, and removed by whoever
///   trims the folder.
/// - Files that were used last stay; a use is known by the time of change.
public struct CacheFolder: Sendable {
  /// The default limit of all files of a folder together, in bytes.
  public static let standardBudget = 4 << 30
  /// Seconds for which a use that was noted is not noted again.
  private static let noteInterval = 600

  private static let suffix = ".symcache"
  /// Of the unwind rules next to a cache; they count, and go like caches.
  private static let unwindSuffix = ".unwind"
  /// Of the names of files on which a cache depends; they count, and go like caches.
  private static let othersSuffix = ".beside"
  private static let temporarySuffix = ".tmp"
  /// More, or longer ones, are not kept, in bytes.
  private static let othersLimit = 1 << 20

  public let path: String
  /// In bytes.
  public let budget: Int

  /// - Parameters:
  ///   - path: Must belong to this user; it is made when the first cache is kept.
  ///   - budget: What the caches may take together, in bytes; the one in use may take more.
  public init(_ path: String, budget: Int = standardBudget) {
    self.path = path
    self.budget = budget
  }

  /// The cache that is kept under `name`; `nil` where none is, or none that can be believed.
  public func cache(named name: String) -> SymbolCache? {
    let path = place(of: name)
    guard let bytes = try? ByteView(mapping: path), let cache = try? SymbolCache(opening: bytes)
    else { return nil }
    noteUse(of: path)
    return cache
  }

  /// The cache that is kept under `name`, made and kept where none is.
  ///
  /// A cache that cannot be kept costs time, not results: failures to write are ignored.
  ///
  /// - Parameter make: Compiles the cache.
  /// - Throws: what `make` throws.
  public func cache(
    named name: String, make: () throws(ParseError) -> ByteView
  ) throws(ParseError) -> SymbolCache {
    if let cache = cache(named: name) { return cache }
    guard let file = newFile(place(of: name)) else {
      return try SymbolCache(opening: make())
    }
    // Another process may have made it while this one waited for the lock.
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
    keep(bytes, file, at: place(of: name))
    trim(sparing: name)
    return try SymbolCache(opening: bytes)
  }

  /// Paths that were kept under `name`: of the files from which a cache was made besides.
  public func others(of name: String) -> [String]? {
    let path = "\(path)/\(name)\(Self.othersSuffix)"
    guard let bytes = try? ByteView(reading: path, limit: Self.othersLimit) else { return nil }
    noteUse(of: path)
    return bytes.array.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Keeps `paths` under `name`, or does not: they save time, not results.
  public func keep(others paths: [String], of name: String) {
    let bytes = ByteView(paths.joined(separator: "\0").utf8)
    let place = "\(path)/\(name)\(Self.othersSuffix)"
    guard bytes.count <= Self.othersLimit,
      let file = newFile(place)
    else { return }
    keep(bytes, file, at: place)
  }

  /// The file into which one at `place` is written, locked: who makes the same waits here.
  ///
  /// - Returns: `nil` where none can be made.
  private func newFile(_ place: String) -> LockFile? {
    let path = place + Self.temporarySuffix
    if let file = try? LockFile(path, waits: true) { return file }
    guard (try? Folder.makeAll(self.path)) != nil else { return nil }
    return try? LockFile(path, waits: true)
  }

  private func keep(_ bytes: ByteView, _ file: LockFile, at place: String) {
    if (try? file.publish(bytes, at: place)) == nil { file.remove() }
  }

  private func place(of name: String) -> String { "\(path)/\(name)\(Self.suffix)" }

  private func noteUse(of path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0,
      WallClock.seconds - status.st_mtim.tv_sec > Self.noteInterval
    else { return }
    _ = unsafe utimensat(AT_FDCWD, path, nil, 0)
  }

  // MARK: Room

  /// Removes the caches that were not used for longest until the rest fits the budget, and what
  /// killed processes left.
  ///
  /// - Parameter name: A cache that stays in any case.
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
    // Of those used at the same time the order of the names decides.
    files.sort { ($0.used, $0.path) < ($1.used, $1.path) }
    for file in files {
      if size <= budget { return }
      if unsafe unlink(file.path) == 0 { size -= file.size }
    }
  }
}
