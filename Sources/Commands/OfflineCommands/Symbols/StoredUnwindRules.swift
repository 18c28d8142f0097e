internal import CrashStore
internal import SymbolSources
internal import Symbolication
internal import UnwindRules

/// The unwind rules of a stored debug file.
enum StoredUnwindRules {
  /// The rules; `nil` if the file is damaged, or has none.
  ///
  /// - Throws: `DatabaseError`, `FileError`.
  static func rules(of record: DebugFileRecord, in store: CrashStore) throws -> UnwindRules? {
    let bytes = try StoreError.unlessDamaged { try store.debugFiles.get(record.digest) }
    guard let bytes else { return nil }
    let scan = DebugFileScanner().scan(bytes, named: record.name)
    guard let file = scan.files.first(where: { $0.architecture == record.architecture }) else {
      return nil
    }
    return try StoreError.unlessDamaged {
      try UnwindRuleCache(folder: store.caches).rules(for: file)
    }
  }
}
