package import CrashStore
internal import Identifiers
package import JSON

/// The debug files in a home with an id, with all their facts.
package enum StoredDebugFiles {
  /// Whether a text is an id, in any spelling, and not a path.
  package static func isID(_ text: String) -> Bool {
    DebugID(text) ?? DebugID(breakpad: text) != nil || CodeID(text) != nil
  }

  /// - Parameters:
  ///   - id: A debug id or a build id, in any spelling.
  ///   - architecture: Only this architecture.
  /// - Throws: ``StoreError/notFound(_:)``, `DatabaseError`.
  package static func records(
    of id: String, architecture: String?, in store: CrashStore
  ) throws -> [DebugFileRecord] {
    var records: [DebugFileRecord] = []
    if let debugID = DebugID(id) ?? DebugID(breakpad: id) {
      records = try store.debugFiles.list(for: debugID)
    }
    if records.isEmpty, let codeID = CodeID(id) { records = try store.debugFiles.list(for: codeID) }
    if let architecture { records.removeAll { $0.architecture != Architecture(architecture) } }
    guard !records.isEmpty else { throw StoreError.notFound(id) }
    return records
  }

  /// Returns all facts of each file.
  package static func documents(
    of id: String, architecture: String?, in store: CrashStore
  ) throws -> [JSONValue] {
    let records = try records(of: id, architecture: architecture, in: store)
    return try records.map { try ShownDebugFile($0, among: records, in: store).document }
  }
}
