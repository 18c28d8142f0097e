import CrashModel
import CrashStore
import SymbolSources
import Symbolication
import UnwindRules

/// The unwind rules of a debug file that a store keeps.
enum StoredUnwindRules {
  /// `nil` where the file cannot be read.
  static func rules(of record: DebugFileRecord, in store: CrashStore) -> UnwindRules? {
    guard let bytes = try? store.debugFile(record.digest) else { return nil }
    let scan = DebugFileScanner().scan(bytes, named: record.name)
    guard let file = scan.files.first(where: { $0.architecture == record.architecture }) else {
      return nil
    }
    return try? UnwindShelf(folder: store.caches).rules(for: file)
  }
}
