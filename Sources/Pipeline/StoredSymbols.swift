internal import Bytes
public import CrashModel
public import CrashStore
public import SymbolSources
internal import Synchronization

/// The debug files that a store keeps.
///
/// Only images with an id are looked for: a name alone says nothing among the builds of months.
public final class StoredSymbols: SymbolSource {
  private let store: CrashStore
  /// What was opened for an id, each file once.
  private let known = Mutex<[String: DebugFileIndex]>([:])

  public init(in store: CrashStore) { self.store = store }

  public func candidates(for image: LoadedImage) -> [DebugFile] {
    let debugID = image.debugID.flatMap { $0.isZero ? nil : $0 }
    guard debugID != nil || image.codeID != nil else { return [] }
    let key = "\(debugID?.description ?? "") \(image.codeID?.description ?? "")"
    let index = known.withLock { known in
      if let index = known[key] { return index }
      let index = open(debugID, image.codeID)
      known[key] = index
      return index
    }
    return index.candidates(for: image)
  }

  /// A file that is damaged on the disk is passed over, as if it had never been added.
  private func open(_ debugID: DebugID?, _ codeID: CodeID?) -> DebugFileIndex {
    var records: [DebugFileRecord] = []
    if let debugID { records += (try? store.debugFiles(for: debugID)) ?? [] }
    if let codeID { records += (try? store.debugFiles(for: codeID)) ?? [] }
    var files: [DebugFile] = []
    var seen: Set<String> = []
    for record in records where seen.insert(record.digest).inserted {
      guard let bytes = try? store.debugFile(record.digest) else { continue }
      files += DebugFileScanner().scan(bytes, named: record.name).files
    }
    return DebugFileIndex(files)
  }
}
