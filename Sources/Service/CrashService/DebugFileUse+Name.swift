internal import CrashModel
package import CrashStore

extension [DebugFileUse] {
  /// The files of a debug id or a build id, or the one whose digest begins with it.
  ///
  /// - Throws: `StoreError` where none or several are meant.
  package func called(_ id: String) throws -> [DebugFileUse] {
    let debugID = DebugID(id) ?? DebugID(breakpad: id)
    let codeID = CodeID(id)
    let byID = filter { use in
      use.records.contains { record in
        record.debugID == debugID || codeID != nil && record.codeID == codeID
      }
    }
    if !byID.isEmpty { return byID }
    let byDigest = filter { $0.digest.hasPrefix(id.lowercased()) && id.count >= 4 }
    guard byDigest.count < 2 else {
      throw StoreError.ambiguous(prefix: id, matches: byDigest.map(\.digest))
    }
    guard !byDigest.isEmpty else { throw StoreError.notFound(id) }
    return byDigest
  }
}
