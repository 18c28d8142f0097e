import Bytes
import CrashStore
import Identifiers
import SymbolSources

extension CrashStore {
  /// Adds a debug file as `mayday symbols add` does; one without an id is left out.
  func add(
    _ file: DebugFile, release: (app: String, release: Release)? = nil, bundle: Release? = nil
  ) throws {
    guard let id = file.debugID else { return }
    try debugFiles.add(
      file.fileBytes,
      records: [
        DebugFileRecord(
          debugID: id, codeID: file.codeID, architecture: file.architecture,
          kind: file.usability == .debugInfo ? "debug-info" : "symbols", name: file.name,
          digest: file.digest, size: file.fileBytes.count, added: Timestamp(seconds: 1_790_000_000))
      ], release: release, bundle: bundle)
  }
}
