public import Bytes
internal import Glibc
public import SymbolCache

/// Symbol caches that stay on disk from run to run, in a room of a stated size.
///
/// - A file is mapped and checked when it is opened; what is damaged, cut off or of an older version
///   is made again.
/// - Who makes a cache locks the file into which it is written (`NAME.tmp`), so that of two processes
///   one makes it and the other waits. The lock ends with the process: what one leaves that was killed
///   is taken over by the next that makes the same cache, and removed by whoever trims the folder.
/// - Files that were used last stay; a use is told by the time of change.
public struct CacheFolder: Sendable {
  /// What the files of a folder may take together unless something else is said, in bytes.
  public static let standardBudget = 4 << 30
  /// Seconds for which a use that was noted is not noted again.
  private static let noteInterval = 600

  private static let suffix = ".symcache"
  /// Of the unwind rules that lie beside a cache; they count, and go like caches.
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
  /// A cache that cannot be kept costs time, not results: failures to write are passed over.
  ///
  /// - Parameter make: Compiles the cache.
  /// - Throws: what `make` throws.
  public func cache(
    named name: String, make: () throws(ParseError) -> ByteView
  ) throws(ParseError) -> SymbolCache {
    if let cache = cache(named: name) { return cache }
    guard let file = LockedFile(place(of: name) + Self.temporarySuffix, in: path) else {
      return try SymbolCache(opening: make())
    }
    // Another process may have made it while this one waited for the lock.
    if let cache = cache(named: name) {
      file.discard()
      return cache
    }
    let bytes: ByteView
    do throws(ParseError) {
      bytes = try make()
    } catch {
      file.discard()
      throw error
    }
    if !file.keep(bytes, at: place(of: name)) { file.discard() }
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
      let file = LockedFile(place + Self.temporarySuffix, in: path)
    else { return }
    if !file.keep(bytes, at: place) { file.discard() }
  }

  private func place(of name: String) -> String { "\(path)/\(name)\(Self.suffix)" }

  private func noteUse(of path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0,
      time(nil) - status.st_mtim.tv_sec > Self.noteInterval
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
        LockedFile(leftAt: path)?.discard()
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

/// A file that nobody else writes, by a lock that ends with the process.
private struct LockedFile: ~Copyable {
  private let path: String
  private let number: Int32

  /// Waits for the lock of the file at `path`, which is made where there is none, as is its folder.
  init?(_ path: String, in folder: String) {
    while true {
      var number = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      if number < 0, errno == ENOENT, Self.makeFolder(folder) {
        number = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      }
      guard number >= 0 else { return nil }
      while flock(number, LOCK_EX) != 0 {
        guard errno == EINTR else {
          close(number)
          return nil
        }
      }
      if Self.isStill(number, at: path) {
        self.path = path
        self.number = number
        return
      }
      // Whoever had the lock has renamed or removed the file meanwhile.
      close(number)
    }
  }

  /// The file at `path` if nobody holds its lock.
  init?(leftAt path: String) {
    let number = unsafe open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard number >= 0 else { return nil }
    guard flock(number, LOCK_EX | LOCK_NB) == 0, Self.isStill(number, at: path) else {
      close(number)
      return nil
    }
    self.path = path
    self.number = number
  }

  deinit { close(number) }

  /// Writes `bytes` and gives the file its name, so that a reader sees a whole file or none.
  ///
  /// - Returns: Whether that went well.
  func keep(_ bytes: ByteView, at target: String) -> Bool {
    guard ftruncate(number, 0) == 0, lseek(number, 0, SEEK_SET) == 0 else { return false }
    let isWritten = unsafe bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        let count = unsafe write(
          number, buffer.baseAddress?.advanced(by: done), buffer.count - done)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return false }
        done += count
      }
      return true
    }
    return unsafe isWritten && rename(path, target) == 0
  }

  /// Removes the file, while the lock is held.
  func discard() { _ = unsafe unlink(path) }

  private static func isStill(_ number: Int32, at path: String) -> Bool {
    var own = stat()
    var named = stat()
    return unsafe fstat(number, &own) == 0 && lstat(path, &named) == 0
      && own.st_ino == named.st_ino && own.st_dev == named.st_dev
  }

  /// Makes a folder that only this user sees, and those above it.
  private static func makeFolder(_ path: String) -> Bool {
    if unsafe mkdir(path, 0o700) == 0 || errno == EEXIST { return true }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
      return false
    }
    guard makeFolder(String(path[..<slash])) else { return false }
    return unsafe mkdir(path, 0o700) == 0 || errno == EEXIST
  }
}
