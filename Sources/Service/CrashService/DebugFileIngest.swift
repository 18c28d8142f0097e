internal import Bytes
package import CrashStore
package import Identifiers
internal import ObjectFormats
package import SymbolSources
internal import UnwindRules

/// Stores debug files, each once, with a record for each of its architectures, and related files: source
/// bundles and mappings.
package struct DebugFileIngest {
  package let store: CrashStore
  /// The app and release that they belong to.
  package var release: (app: String, release: Release)?
  /// The release named by the dSYM bundle they were sent from, for files sent without the bundle.
  package var bundle: Release?
  /// The app they are uploaded for. Default: the release's app, or all apps.
  package var app: String?

  private var apps: [String]? { app.map { [$0] } }

  /// - Parameter progress: Called after each file with the number of finished files, their total, and its
  ///   path.
  /// - Returns: The verdict on each.
  package func store(
    _ scan: DebugFileScan, progress: (Int, Int, String) -> Void = { _, _, _ in }
  ) throws -> [DebugFileVerdict] {
    let files = scan.files
    let index = DebugFileIndex(scan)
    var verdicts: [DebugFileVerdict] = []
    var rest = files[...]
    while let first = rest.first {
      let slices = rest.prefix { $0.path == first.path }
      rest = rest.dropFirst(slices.count)
      // A .NET program is useless next to its portable PDB, but not an error.
      let refused = slices.filter { file in
        !scan.mappings.contains {
          $0.kind == .portablePDB && $0.debugID?.uuid == file.debugID?.uuid
        }
      }.compactMap { DebugFileVerdict(refusing: $0) }
      let usable = slices.filter { DebugFileVerdict(refusing: $0) == nil }
      if !usable.isEmpty {
        let records = usable.compactMap { DebugFileRecord($0, added: .now) }
        let others = usable.compactMap { DebugFileRecord(other: $0, added: .now) }
        let isNew = try store.debugFiles.add(
          first.fileBytes, records: records + others, release: release,
          bundle: first.release ?? bundle,
          apps: apps)
        verdicts += zip(usable, isNew).map { DebugFileVerdict($0, $1 ? .added : .known) }
        for file in usable { verdicts += try storeSupplementaryFiles(of: index.complete(file)) }
      }
      verdicts += refused
      progress(files.count - rest.count, files.count, first.path)
    }
    return try verdicts + store(scan.bundles) + scan.mappings.map { try store($0) }
  }

  /// Stores a mapping with a record for each id by which a report may name it, and for its release.
  private func store(_ mapping: MappingFile) throws -> DebugFileVerdict {
    var identities = mapping.identities
    if let release {
      identities += mapping.releaseNames.compactMap {
        ReleaseIdentity.ofFile(app: release.app, release: release.release, mapping.kind, of: $0)
      }
    }
    guard !identities.isEmpty else { return DebugFileVerdict(mapping, .refused) }
    if let refusal = DebugFileVerdict(refusing: mapping) { return refusal }
    let records = identities.map { identity in
      DebugFileRecord(
        debugID: identity.debugID, codeID: identity.codeID, architecture: mapping.architecture,
        kind: mapping.kind.rawValue, name: mapping.name, digest: mapping.digest,
        size: mapping.fileBytes.count, added: .now)
    }
    let isNew = try store.debugFiles.add(
      mapping.fileBytes, records: records, release: release, apps: apps)
    return DebugFileVerdict(mapping, isNew.contains(true) ? .added : .known)
  }

  /// Stores files with further debug information of `file` under its id, so that reports of that build find
  /// them, and those that have used it are reprocessed.
  private func storeSupplementaryFiles(of file: DebugFile) throws -> [DebugFileVerdict] {
    guard let id = file.debugID else { return [] }
    return try file.supplementaryFiles.map { supplementary in
      let record = DebugFileRecord(
        debugID: id, codeID: file.codeID, architecture: file.architecture,
        kind: supplementary.kind.rawValue, name: supplementary.name, digest: supplementary.digest,
        size: supplementary.fileBytes.count, added: .now)
      let isNew = try store.debugFiles.add(
        supplementary.fileBytes, records: [record], release: release, apps: apps)
      return DebugFileVerdict(supplementary, of: file, isNew.first == true ? .added : .known)
    }
  }

  /// Stores source bundles with the debug files of their builds.
  ///
  /// - Returns: The verdict on each.
  private func store(_ bundles: [SourceBundleFile]) throws -> [DebugFileVerdict] {
    try bundles.map { file in
      guard let record = DebugFileRecord(file, added: .now) else {
        return DebugFileVerdict(file, .refused)
      }
      let isNew = try store.debugFiles.add(
        file.fileBytes, records: [record], release: release, apps: apps)
      return DebugFileVerdict(file, isNew.contains(true) ? .added : .known)
    }
  }

  package init(
    store: CrashStore, release: (app: String, release: Release)? = nil, bundle: Release? = nil,
    app: String? = nil
  ) {
    self.store = store
    self.release = release
    self.bundle = bundle
    self.app = app
  }
}

extension DebugFileRecord {
  /// Creates a record; `nil` for a bundle without an id, which belongs to no build.
  fileprivate init?(_ file: SourceBundleFile, added: Timestamp) {
    guard let id = file.debugID, !id.isZero else { return nil }
    self.init(
      debugID: id, codeID: file.codeID, architecture: file.architecture,
      kind: Self.sourcesKind, name: file.name, digest: file.digest, size: file.fileBytes.count,
      added: added)
  }

  /// Creates a record; `nil` for a file without an id, which no report could name.
  package init?(_ file: DebugFile, added: Timestamp) {
    guard let id = file.debugID else { return nil }
    self.init(file, id, file.codeID, added: added)
  }

  /// Creates a second record under the id by which some reports know the file; `nil` for most files.
  fileprivate init?(other file: DebugFile, added: Timestamp) {
    guard let id = file.object.wasm?.otherDebugID else { return nil }
    self.init(file, id, file.object.wasm?.otherCodeID, added: added)
  }

  private init(_ file: DebugFile, _ id: DebugID, _ codeID: CodeID?, added: Timestamp) {
    self.init(
      debugID: id, codeID: codeID, architecture: file.architecture,
      kind: file.kind, name: file.name,
      digest: file.digest, size: file.fileBytes.count, added: added)
  }
}

extension DebugFile {
  /// The kind it is stored as.
  var kind: String {
    switch usability {
    case .debugInfo: "debug-info"
    case .symbolsOnly: "symbols"
    case .stripped: "unwind-rules"
    }
  }

  /// Whether it can be used to unwind the stacks of dumps; `false` if its rules cannot be read.
  var hasUnwindRules: Bool {
    guard let rules = try? UnwindRules(opening: UnwindRules.compile(object)) else { return false }
    return rules.rowCount > 0
  }
}
