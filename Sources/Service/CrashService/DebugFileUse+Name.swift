package import CrashStore
internal import Identifiers

extension [DebugFileUse] {
  /// Returns the files with a debug id, a build id, or a digest prefix.
  ///
  /// - Throws: `StoreError` if none or several match.
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
