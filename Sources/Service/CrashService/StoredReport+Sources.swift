internal import CrashModel
package import CrashStore
package import Identifiers
package import ReportDocument
package import SymbolSources

extension StoredReport {
  /// Returns the report with source lines around each frame's location, if a bundle of its image's build has
  /// them.
  ///
  /// - Parameters:
  ///   - count: The number of lines per frame.
  ///   - bundles: Returns the bundles of a build.
  package func showingSources(
    _ count: Int, from bundles: (DebugID) throws -> [SourceBundleFile]
  ) rethrows -> StoredReport {
    var finders: [Int: SourceFinder] = [:]
    for (index, image) in report.images.enumerated() {
      guard let id = image.debugID, !id.isZero else { continue }
      let found = try bundles(id)
      if !found.isEmpty { finders[index] = SourceFinder(bundles: found) }
    }
    guard !finders.isEmpty else { return self }
    var stored = self
    stored.report.mapFrames { frame in
      guard let image = frame.image, let file = frame.file, let line = frame.line else { return }
      frame.source = finders[image]?.excerpt(of: file, around: line, count: count)
    }
    return stored
  }
}

extension CrashStore {
  /// Returns the stored source bundles of a build; damaged ones are left out.
  ///
  /// - Parameter app: Only bundles that this app may use; `nil` for all.
  package func sourceBundles(of id: DebugID, for app: String?) throws -> [SourceBundleFile] {
    var records = try debugFiles.list(for: id).filter { $0.kind == DebugFileRecord.sourcesKind }
    if let app { records = try debugFiles.list(records, usableBy: app) }
    return try records.flatMap { record in
      let bytes = try StoreError.unlessDamaged { try debugFiles.get(record.digest) }
      return bytes.map { DebugFileScanner().scan($0, named: record.name).bundles } ?? []
    }
  }
}

extension CrashReport {
  fileprivate mutating func mapFrames(_ body: (inout Frame) -> Void) {
    for index in threads.indices { threads[index].frames.forEachInPlace(body) }
    for index in otherStacks.indices { otherStacks[index].frames.forEachInPlace(body) }
    reason.exception?.mapFrames(body)
  }
}

extension LanguageException {
  fileprivate mutating func mapFrames(_ body: (inout Frame) -> Void) {
    frames.forEachInPlace(body)
    for index in inner.indices { inner[index].mapFrames(body) }
  }
}

extension Array {
  fileprivate mutating func forEachInPlace(_ body: (inout Element) -> Void) {
    for index in indices { body(&self[index]) }
  }
}
