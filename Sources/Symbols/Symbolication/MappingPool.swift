internal import SymbolSources
internal import Synchronization

/// Recently read mappings: reading one takes time proportional to its size.
final class MappingPool<Value: Sendable>: Sendable {
  /// The number of mappings that are kept, newest first; their tables take a fraction of the
  /// mappings' own size.
  private static var limit: Int { 8 }

  private let known = Mutex<[(digest: String, value: Value)]>([])

  /// The result of `read` for the mapping, computed once while it is in use.
  func value(of file: MappingFile, _ read: (MappingFile) throws -> Value) rethrows -> Value {
    let digest = file.digest
    let found = known.withLock { known -> Value? in
      guard let index = known.firstIndex(where: { $0.digest == digest }) else { return nil }
      let entry = known.remove(at: index)
      known.append(entry)
      return entry.value
    }
    if let found { return found }
    let value = try read(file)
    known.withLock { known in
      if known.count >= Self.limit { known.removeFirst() }
      known.append((digest, value))
    }
    return value
  }
}
