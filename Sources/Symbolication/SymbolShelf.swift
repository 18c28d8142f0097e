public import Bytes
internal import Glibc
public import SymbolCache
public import SymbolSources
internal import Synchronization
internal import Workers

/// The symbol caches in use, each made once however many reports ask for it.
///
/// With a folder, caches are kept there from run to run, named by the digest of the debug file; a
/// damaged or older one is made again. Without, they live in memory.
public final class SymbolShelf: Sendable {
  private let folder: String?
  private let entries = Mutex<[String: Entry]>([:])
  /// How many caches are being made.
  private let compiling = Atomic<Int>(0)

  /// - Parameter folder: Where to keep caches; it must exist and belong to this user.
  public init(folder: String? = nil) { self.folder = folder }

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
      if let result { return result }
      let made = make(file, name: name)
      result = made
      return made
    }
  }

  private final class Entry: Sendable {
    let result = Mutex<Result<SymbolCache, ParseError>?>(nil)
  }

  private func make(_ file: DebugFile, name: String) -> Result<SymbolCache, ParseError> {
    do throws(ParseError) {
      let path = folder.map { "\($0)/\(name).symcache" }
      if let path, let bytes = try? ByteView(mapping: path),
        let cache = try? SymbolCache(opening: bytes)
      {
        return .success(cache)
      }
      // Those who compile at a time share the processors.
      let busy = compiling.wrappingAdd(1, ordering: .relaxed).newValue
      defer { compiling.wrappingSubtract(1, ordering: .relaxed) }
      var options = CacheOptions()
      options.width = max(Workers.processorCount / busy, 1)
      let bytes = try SymbolCache.compiling(
        file.object, companions: file.companions, options: options
      ).bytes
      let cache = try SymbolCache(opening: bytes)
      if let path { save(bytes, at: path) }
      return .success(cache)
    } catch {
      return .failure(error)
    }
  }

  /// Writes beside and renames, so that a reader sees a whole file or none.
  ///
  /// A cache that cannot be kept costs time, not results: failures are passed over.
  private func save(_ bytes: ByteView, at path: String) {
    let temporary = "\(path).\(getpid()).tmp"
    let file = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    let isWritten = unsafe bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        let count = unsafe write(file, buffer.baseAddress?.advanced(by: done), buffer.count - done)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return false }
        done += count
      }
      return true
    }
    close(file)
    if unsafe !isWritten || rename(temporary, path) != 0 { unsafe unlink(temporary) }
  }
}
