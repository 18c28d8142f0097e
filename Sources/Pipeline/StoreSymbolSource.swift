public import CrashModel
public import CrashStore
public import SymbolSources

/// The debug files that a store keeps.
public struct StoreSymbolSource: SymbolSource {
  private let store: CrashStore

  public init(_ store: CrashStore) { self.store = store }

  /// A file that cannot be read is left out: the others may explain the image as well.
  public func candidates(for image: LoadedImage) -> [DebugFile] {
    var records: [DebugFileRecord] = []
    func add(_ more: [DebugFileRecord]?) {
      for record in more ?? [] where !records.contains(where: { $0.digest == record.digest }) {
        records.append(record)
      }
    }
    if let id = image.debugID { add(try? store.debugFiles(for: DebugID(uuid: id.uuid))) }
    if let id = image.codeID { add(try? store.debugFiles(for: id)) }
    if records.isEmpty && image.debugID == nil && image.codeID == nil {
      add(try? store.debugFiles(named: image.name))
      add(try? store.debugFiles(named: image.name + ".debug"))
    }
    let files = records.flatMap { record -> [DebugFile] in
      guard let bytes = try? store.debugFile(record.digest) else { return [] }
      return DebugFileScanner.scan(bytes, path: record.name, name: record.name).files
    }
    return DebugFileIndex(files).candidates(for: image)
  }
}
