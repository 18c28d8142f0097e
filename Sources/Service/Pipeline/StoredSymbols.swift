internal import Bytes
public import CrashModel
public import CrashStore
internal import Identifiers
public import SymbolSources
internal import Synchronization

/// The debug files in a store.
///
/// An image without a build id is searched by its name, and symbolicated only while no other build has that
/// name: see `DebugFileIndex`.
///
/// A damaged file on disk is a result, and is shown. A store that cannot be read, for example because its
/// database is locked, is not: that error is thrown, and nothing is cached.
public final class StoredSymbols: SymbolSource {
  private struct CachedFiles: Sendable {
    var index = DebugFileIndex([])
    var mappings: [MappingFile] = []
    var unusable: [SymbolCandidate] = []
  }

  private let store: CrashStore
  /// The app whose debug files are searched; `nil` for all apps.
  private let app: String?
  /// The opened files by id.
  private let known = Mutex<[String: CachedFiles]>([:])

  /// - Parameter app: Only files that may explain reports of this app; `nil` for all.
  public init(in store: CrashStore, app: String? = nil) {
    self.store = store
    self.app = app
  }

  public func candidates(for image: LoadedImage) throws -> [DebugFile] {
    try cached(for: image)?.index.candidates(for: image) ?? []
  }

  /// Returns mappings by the ids they are stored under, some of which they do not contain themselves.
  public func mappings(for image: LoadedImage) throws -> [MappingFile] {
    guard image.isManaged, image.hasBuildID else { return [] }
    return try cached(for: image)?.mappings ?? []
  }

  public func unusable(for image: LoadedImage) throws -> [SymbolCandidate] {
    guard let cached = try cached(for: image) else { return [] }
    return cached.index.unusable(for: image) + cached.unusable
  }

  /// Returns the newest files first: users will wonder about the one added last.
  public func namesakes(of image: LoadedImage, limit: Int) throws -> [SymbolCandidate] {
    guard image.hasBuildID else { return [] }
    let last = image.path.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
    let names = Set([image.name, last].compactMap(\.self)).sorted()
    let records = try names.flatMap { [$0, $0 + ".debug"] }.flatMap {
      try usable(store.debugFiles.list(named: $0))
    }.filter { $0.kind != DebugFileRecord.sourcesKind }
    var found: [SymbolCandidate] = []
    for record in records.reversed() where found.count < limit {
      let isWanted =
        record.debugID == image.debugID || record.codeID != nil && record.codeID == image.codeID
      if isWanted { continue }
      var candidate = SymbolCandidate(
        namesake: record.name, debugID: record.debugID, architecture: record.architecture,
        of: image)
      candidate.detail = "added \(record.added.description.prefix(10))"
      if !found.contains(where: { $0.debugID == candidate.debugID }) { found.append(candidate) }
    }
    return found
  }

  /// Returns the files of a release, or otherwise those without a known release.
  private static func files(
    of release: Release, in records: [DebugFileRecord], _ store: CrashStore
  ) throws -> [DebugFileRecord] {
    var belonging: [String: Bool] = [:]
    for name in Set(records.map(\.name)).sorted() {
      belonging.merge(try store.debugFiles.belonging(to: release, named: name)) { $0 || $1 }
    }
    let own = records.filter { belonging[$0.digest] == true }
    return own.isEmpty ? records.filter { belonging[$0.digest] == nil } : own
  }

  private func usable(_ records: [DebugFileRecord]) throws -> [DebugFileRecord] {
    guard let app, !records.isEmpty else { return records }
    return try store.debugFiles.list(records, usableBy: app)
  }

  private func cached(for image: LoadedImage) throws -> CachedFiles? {
    let debugID = image.debugID.flatMap { $0.isZero ? nil : $0 }
    let id = [debugID?.description, image.codeID?.description].compactMap(\.self)
    let key =
      image.hasBuildID
      ? id.joined(separator: " ")
      : "name:\(image.architecture?.description ?? "") \(DebugFileName.names(of: image).joined(separator: " "))"
        + (image.release.map { "\u{1F}\($0.version)\u{1F}\($0.build)" } ?? "")
    return try known.withLock { known in
      if let cached = known[key] { return cached }
      let cached = try open(image)
      known[key] = cached
      return cached
    }
  }

  /// Opens the files for an image. A damaged file affects only its own images, and is reported.
  private func open(_ image: LoadedImage) throws -> CachedFiles {
    var records: [DebugFileRecord] = []
    if image.hasBuildID {
      for id in image.possibleDebugIDs { records += try usable(store.debugFiles.list(for: id)) }
      if let codeID = image.codeID { records += try usable(store.debugFiles.list(for: codeID)) }
    } else {
      for name in DebugFileName.names(of: image) {
        records += try usable(store.debugFiles.list(named: name))
      }
      records.removeAll { image.architecture?.contradicts($0.architecture) == true }
      if let release = image.release { records = try Self.files(of: release, in: records, store) }
    }
    records.removeAll { $0.kind == DebugFileRecord.sourcesKind }
    let builds = Set(records.map(\.debugID)).count
    if !image.hasBuildID, builds > 1 {
      // Months of builds share one name: none of them needs to be opened.
      return CachedFiles(unusable: [SymbolCandidate(ambiguous: image, builds: builds)])
    }
    // The choice between equivalent files must not depend on the order in which they were added.
    records.sort { $0.digest < $1.digest }
    var files: [DebugFile] = []
    var supplementary: [SupplementaryFile] = []
    var cached = CachedFiles()
    var seen: Set<String> = []
    var rest = records[...]
    while let record = rest.popFirst() {
      guard seen.insert(record.digest).inserted else { continue }
      let bytes: ByteView
      do {
        bytes = try store.debugFiles.get(record.digest)
      } catch StoreError.notFound {
        // It was removed since it was listed.
        continue
      } catch StoreError.damagedBlob {
        cached.unusable.append(
          SymbolCandidate(
            record.name, .damaged, detail: "its stored content is missing or truncated"))
        continue
      }
      let scan = DebugFileScanner().scan(bytes, named: record.name)
      cached.unusable += scan.refusals.map {
        SymbolCandidate(record.name, .damaged, detail: $0.reason)
      }
      files += scan.files
      supplementary += scan.supplementary
      cached.mappings += scan.mappings.filter { $0.architecture == record.architecture }
      // A file shared by several is stored under its own id.
      for id in scan.files.compactMap(\.sharedID) {
        rest += try usable(store.debugFiles.list(for: id))
      }
    }
    cached.index = DebugFileIndex(files, supplementary: supplementary)
    return cached
  }
}
