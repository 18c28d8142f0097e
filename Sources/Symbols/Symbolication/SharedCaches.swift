internal import Bytes
internal import Dispatch
internal import Files
internal import ObjectFormats
public import ObjectStorage
internal import SymbolCache
internal import SymbolSources
internal import Synchronization
internal import Workers

/// Symbol caches on S3, for any number of machines: whoever needs one first makes it.
///
/// The key is that of the prefix, a slash, the version of the program and that of the format, and the
/// name in a ``CacheFolder``: `caches/0.1.0-7/DIGEST-x86_64.symcache`. A cache is stored once and never
/// replaced; all who make it make the same bytes. One that is damaged is not used.
///
/// A failure of the bucket costs time, not results; the first one is reported.
public final class SharedCaches: Sendable {
  private static let suffix = ".symcache"
  /// The most bytes of a cache.
  private static let mostBytes = 4 << 30
  /// The caches that are stored at a time.
  private static let mostUploads = 4

  private struct State {
    var store: Result<ObjectStore, ObjectStorageError>?
    var waiting: [Upload] = []
    var uploads = 0
    var isReported = false
    /// Whether the bucket is still asked, and still written to.
    var isRead = true
    var isWritten = true
  }

  private struct Upload: Sendable {
    let name: String
    let bytes: ByteView
  }

  private let prefix: ObjectAddress
  private let makeStore: @Sendable () throws(ObjectStorageError) -> ObjectStore
  private let warn: @Sendable (String) -> Void
  private let state = Mutex(State())
  private let uploads = DispatchGroup()

  /// - Parameters:
  ///   - address: What the keys begin with.
  ///   - store: Called once, when the first cache is needed.
  ///   - warn: Called once, with the first failure.
  /// - Throws: ``ObjectAddressError`` where the keys become too long.
  public init(
    at address: ObjectAddress,
    store: @escaping @Sendable () throws(ObjectStorageError) -> ObjectStore,
    warn: @escaping @Sendable (String) -> Void
  ) throws(ObjectAddressError) {
    let slash = address.key.isEmpty || address.key.utf8.last == UInt8(ascii: "/") ? "" : "/"
    prefix = try address.appending(
      "\(slash)\(engineVersion)-\(SymbolCache.formatVersion)/")
    makeStore = store
    self.warn = warn
  }

  /// The cache that the bucket has under a name.
  enum Finding {
    case cache(ByteView)
    /// Nothing is there, or it is not known.
    case missing
    /// Something is there that is not used.
    case unusable
  }

  /// The cache of a debug file.
  ///
  /// - Parameter folder: Where it may be put while it is used.
  func cache(named name: String, of file: DebugFile, in folder: String?) -> Finding {
    guard state.withLock({ $0.isRead }) else { return .missing }
    let file = file.object
    let bytes: ByteView
    do {
      bytes = try fetch(name, in: folder)
    } catch let error as ObjectStorageError {
      // A bucket that is not there is a failure.
      if error.kind == .notFound, error.code != "NoSuchBucket" { return .missing }
      report(error, stopsReading: Self.isLasting(error), stopsWriting: Self.isLasting(error))
      return error.kind == .tooLarge || error.kind == .malformed ? .unusable : .missing
    } catch {
      report(error, stopsReading: true, stopsWriting: false)
      return .missing
    }
    guard let cache = try? SymbolCache(opening: bytes), (try? cache.verify()) != nil,
      cache.debugID == file.debugID, cache.architecture == file.architecture
    else { return .unusable }
    return .cache(bytes)
  }

  private func fetch(_ name: String, in folder: String?) throws -> ByteView {
    let address = try prefix.appending(name + Self.suffix)
    var file = try? folder.map { folder throws(FileError) in try UnnamedFile(in: folder) }
    if file == nil { file = try UnnamedFile(in: Folder.temporary) }
    guard let file else { return .empty }
    _ = try store().get(address, into: file.file.number, limit: Self.mostBytes)
    // It has no other name.
    defer { withExtendedLifetime(file) {} }
    return try ByteView(mapping: file.path)
  }

  /// Stores a cache, in the background, unless one is there.
  func offer(_ bytes: ByteView, named name: String) {
    let starts = state.withLock { state in
      guard state.isWritten, bytes.count <= Self.mostBytes else { return false }
      state.waiting.append(Upload(name: name, bytes: bytes))
      guard state.uploads < Self.mostUploads else { return false }
      state.uploads += 1
      uploads.enter()
      return true
    }
    guard starts else { return }
    Workers.detach { [self] in
      while let upload = next() { store(upload) }
      uploads.leave()
    }
  }

  private func next() -> Upload? {
    state.withLock { state in
      guard state.isWritten, !state.waiting.isEmpty else {
        state.waiting = []
        state.uploads -= 1
        return nil
      }
      return state.waiting.removeFirst()
    }
  }

  private func store(_ upload: Upload) {
    do {
      let address = try prefix.appending(upload.name + Self.suffix)
      try store().put(upload.bytes, at: address, ifAbsent: true)
    } catch {
      let lasting = (error as? ObjectStorageError).map(Self.isLasting) ?? false
      // Who may not write one may not write the next.
      report(error, stopsReading: lasting, stopsWriting: true)
    }
  }

  /// Waits until the caches are stored that were offered.
  public func finish() { uploads.wait() }

  private func store() throws(ObjectStorageError) -> ObjectStore {
    try state.withLock { state in
      if let store = state.store { return store }
      let store = Result { () throws(ObjectStorageError) in try makeStore() }
      state.store = store
      return store
    }.get()
  }

  /// Whether every further request would fail, and take its time.
  private static func isLasting(_ error: ObjectStorageError) -> Bool {
    switch error.kind {
    case .unreachable, .configuration: true
    default: error.code == "NoSuchBucket"
    }
  }

  private func report(_ error: any Error, stopsReading: Bool, stopsWriting: Bool) {
    let isFirst = state.withLock { state in
      if stopsReading { state.isRead = false }
      if stopsWriting { state.isWritten = false }
      defer { state.isReported = true }
      return !state.isReported
    }
    if isFirst { warn("not all symbol caches on S3 can be used: \(error)") }
  }
}
