public import Bytes
public import SymbolCache
public import SymbolSources
internal import Synchronization
internal import Workers

/// The symbol caches in use, each made once however many reports ask for it.
///
/// With a folder, caches are kept there from run to run, named by the digest of the debug file; a
/// damaged or older one is rebuilt. Without, they live in memory. What is not there may be on S3, where
/// other machines have put it.
public final class SymbolCachePool: Sendable {
  private let folder: CacheFolder?
  private let shared: SharedCaches?
  private let entries = Mutex<[String: Entry]>([:])
  let use: CacheUse
  /// The unwind rules beside them.
  var unwindRules: UnwindRuleCache { UnwindRuleCache(folder: folder?.path) }
  /// How many caches are being made.
  private let compiling = Atomic<Int>(0)

  /// - Parameters:
  ///   - folder: Where to keep caches.
  ///   - shared: Where other machines put theirs.
  ///   - use: Where to count how often they are asked for.
  public init(
    folder: CacheFolder?, shared: SharedCaches? = nil, counting use: CacheUse = CacheUse()
  ) {
    self.folder = folder
    self.shared = shared
    self.use = use
  }

  /// - Parameter folder: Where to keep caches; it must belong to this user.
  public convenience init(folder: String? = nil, counting use: CacheUse = CacheUse()) {
    self.init(folder: folder.map { CacheFolder($0) }, counting: use)
  }

  /// The cache of a debug file; the answer, an error too, is remembered.
  public func cache(for file: DebugFile) -> Result<SymbolCache, ParseError> {
    let name = "\(file.digest)-\(file.architecture)"
    let entry = entries.withLock { entries in
      if let entry = entries[name] { return entry }
      let entry = Entry()
      entries[name] = entry
      return entry
    }
    // The lock of the entry is held while the cache is made: the second who asks waits for it.
    return entry.result.withLock { result in
      if let result {
        count(result, isMade: false)
        return result
      }
      let made = make(file, name: name)
      result = made
      return made
    }
  }

  private final class Entry: Sendable {
    let result = Mutex<Result<SymbolCache, ParseError>?>(nil)
  }

  private func make(_ file: DebugFile, name: String) -> Result<SymbolCache, ParseError> {
    var isMade = false
    var isMissing = false
    let result = Result { () throws(ParseError) in
      guard let folder else {
        return try SymbolCache(opening: bytes(of: file, name, &isMade, &isMissing))
      }
      return try folder.cache(named: name) { () throws(ParseError) in
        try bytes(of: file, name, &isMade, &isMissing)
      }
    }
    count(result, isMade: isMade)
    if isMade, isMissing, case .success(let cache) = result {
      shared?.offer(cache.bytes, named: name)
    }
    return result
  }

  /// The cache of others, or a new one.
  ///
  /// - Parameters:
  ///   - isMade: Whether it is a new one.
  ///   - isMissing: Whether others may want it.
  private func bytes(
    of file: DebugFile, _ name: String, _ isMade: inout Bool, _ isMissing: inout Bool
  ) throws(ParseError) -> ByteView {
    switch shared?.cache(named: name, of: file, in: folder?.path) {
    case .cache(let bytes): return bytes
    case .missing: isMissing = true
    case .unusable, nil: break
    }
    isMade = true
    return try compile(file)
  }

  private func count(_ result: Result<SymbolCache, ParseError>, isMade: Bool) {
    switch result {
    case .success where isMade: use.made.add(1, ordering: .relaxed)
    case .success: use.ready.add(1, ordering: .relaxed)
    case .failure: use.damaged.add(1, ordering: .relaxed)
    }
  }

  private func compile(_ file: DebugFile) throws(ParseError) -> ByteView {
    // Those who compile at a time share the processors.
    let busy = compiling.wrappingAdd(1, ordering: .relaxed).newValue
    defer { compiling.wrappingSubtract(1, ordering: .relaxed) }
    var options = CacheOptions()
    options.width = max(Workers.processorCount / busy, 1)
    return try SymbolCache.compiling(
      file.object, supplementary: file.supplementary, options: options
    ).bytes
  }
}
