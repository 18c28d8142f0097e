internal import SymbolSources
internal import Synchronization

/// Mappings that were read, the last few: to read one takes as long as its bytes are many.
final class MappingPool<Value: Sendable>: Sendable {
  /// Of these the newest stay; their tables take a part of the mappings' own size.
  private static var limit: Int { 8 }

  private let known = Mutex<[(digest: String, value: Value)]>([])

  /// What `read` makes of the mapping, once while it is in use.
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
