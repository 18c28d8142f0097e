import Bytes
import CrashModel
import CrashService
import CrashStore
import Grouping
import Identifiers
import Imports
import Pipeline
import Query
import Scrubbing
import Symbolication
import TestSupport
import TriageModel

/// A home to import into, and a folder with an export.
struct ImportHome: ~Copyable {
  let folder: ScratchFolder
  let store: CrashStore

  init() throws {
    folder = ScratchFolder()
    store = try CrashStore(opening: folder.path("home"))
  }

  /// Writes a file of the export.
  func write(_ text: String, to path: String) { folder.write("export/" + path, text.utf8) }

  var service: LocalService {
    LocalService(home: folder.path("home"), store: store) { _, _ in ByteView([UInt8]()) }
  }

  func context() throws -> ImportContext {
    ImportContext(
      store: store, service: service,
      symbolicators: try StoredSymbolicators(
        in: store, pool: SymbolCachePool(folder: CacheFolder(store.caches))
      ).choice,
      signers: SignerChoice(in: store, standard: Signer(rules: .standard)),
      scrubber: try Scrubber(of: store.settings), arrivals: try store.debugFiles.arrivals(),
      author: "ann")
  }

  var path: String { folder.path("export") }

  /// State and reports of each group, by its title.
  func groups() throws -> [String: (id: String, state: String, reports: Int)] {
    var groups: [String: (id: String, state: String, reports: Int)] = [:]
    for group in try store.groups.list(GroupQuery()).items {
      groups[group.signature.text] = (group.id, group.status.state.rawValue, group.reports)
    }
    return groups
  }

  func notes(ofGroup id: String) throws -> [String] {
    try store.groups.history(ofGroup: id).filter { $0.event == "noted" }.map(\.detail)
  }
}
