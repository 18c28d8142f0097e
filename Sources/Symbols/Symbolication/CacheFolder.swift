public import Bytes
internal import Files
public import SymbolCache

/// Symbol caches kept on disk between runs, within a size limit.
///
/// A file is mapped and checked when it is opened; one that is damaged, truncated or of an older
/// version is rebuilt. Of two processes that need the same one, one builds it and the other waits;
/// see ``RenewableFiles``.
public struct CacheFolder: Sendable {
  /// The default limit of all files of a folder together, in bytes.
  public static let standardBudget = 4 << 30

  private static let suffix = ".symcache"
  /// The suffix of the unwind rules next to a cache; they count, and are removed, like caches.
  private static let unwindSuffix = ".unwind"
  /// The suffix of lists of files on which a cache depends; they count, and are removed, like
  /// caches.
  private static let othersSuffix = ".beside"
  /// The largest list that is kept, in bytes.
  private static let othersLimit = 1 << 20

  private let files: RenewableFiles

  public var path: String { files.path }
  /// In bytes.
  public var budget: Int { files.budget }

  /// - Parameters:
  ///   - path: Must belong to this user; it is created when the first cache is stored.
  ///   - budget: The most bytes of all caches together; the one in use may exceed it.
  public init(_ path: String, budget: Int = standardBudget) {
    files = RenewableFiles(
      path, budget: budget, suffixes: [Self.suffix, Self.unwindSuffix, Self.othersSuffix])
  }

  /// The cache stored under `name`; `nil` where there is none, or none that is valid.
  public func cache(named name: String) -> SymbolCache? {
    let name = name + Self.suffix
    guard let bytes = try? ByteView(mapping: files.path(of: name)),
      let cache = try? SymbolCache(opening: bytes)
    else { return nil }
    files.noteUse(of: name)
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
    guard let file = files.lock(name + Self.suffix) else {
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
    keep(bytes, file, as: name + Self.suffix)
    trim(sparing: name)
    // The mapped file takes no memory of this process.
    if let cache = cache(named: name) { return cache }
    return try SymbolCache(opening: bytes)
  }

  /// The paths stored under `name`: those of the additional files from which a cache was built.
  public func others(of name: String) -> [String]? {
    let name = name + Self.othersSuffix
    guard let bytes = try? ByteView(reading: files.path(of: name), limit: Self.othersLimit) else {
      return nil
    }
    files.noteUse(of: name)
    return bytes.array.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Stores `paths` under `name`, if possible: they save time, not results.
  public func keep(others paths: [String], of name: String) {
    let bytes = ByteView(paths.joined(separator: "\0").utf8)
    let name = name + Self.othersSuffix
    guard bytes.count <= Self.othersLimit, let file = files.lock(name) else { return }
    keep(bytes, file, as: name)
  }

  private func keep(_ bytes: ByteView, _ file: LockFile, as name: String) {
    if (try? file.publish(bytes, at: files.path(of: name))) == nil { file.remove() }
  }

  /// Removes the least recently used caches until the rest fits the budget, and files left by
  /// killed processes.
  ///
  /// - Parameter name: A cache that is never removed.
  public func trim(sparing name: String? = nil) {
    files.trim(sparing: name.map { $0 + Self.suffix })
  }
}
