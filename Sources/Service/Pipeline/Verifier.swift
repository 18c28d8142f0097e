internal import Bytes
internal import CrashModel
public import CrashStore
public import Grouping
internal import Identifiers
internal import ReportDocument
internal import Scrubbing
internal import SymbolSources
internal import Symbolication
public import Workers

/// Reprocesses stored reports for comparison. Nothing is changed.
///
/// The bytes and the debug files come from the store; symbol caches are rebuilt in memory, so that a cache on
/// disk cannot vouch for itself.
public final class Verifier: Sendable {
  private let store: CrashStore
  private let reprocessor: ReprocessingWorker

  /// - Throws: `ScrubError` or `FileError` for rules of the home that cannot be read.
  public init(in store: CrashStore, signer: Signer) throws {
    self.store = store
    reprocessor = ReprocessingWorker(
      in: store, symbolicators: try StoredSymbolicators(in: store, pool: SymbolCachePool()).choice,
      signer: signer,
      scrubber: try Scrubber(of: store.settings))
  }

  /// - Parameters:
  ///   - ids: The full ids of reports.
  ///   - width: The number of threads.
  /// - Returns: The results, in the same order.
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  public func verify(_ ids: [String], width: Int = Workers.processorCount) throws -> [Verification]
  {
    try Workers.map(count: ids.count, width: width) { index in
      Result { try self.verify(ids[index]) }
    }.map { try $0.get() }
  }

  private func verify(_ id: String) throws -> Verification {
    let stored: ReportRecord
    let made: CrashReport
    do {
      stored = try store.reports.get(id)
      made = try StoredReport(document: stored.document).report
    } catch let error as ParseError {
      return Verification(
        report: id, group: "", causes: [.damage("its document: \(error.description)")])
    } catch StoreError.damagedBlob(let path, let reason) {
      return Verification(report: id, group: "", causes: [.damage("\(path): \(reason)")])
    }
    let group = stored.summary.group
    do {
      guard
        let (report, document) = try reprocessor.reprocess(
          stored, rules: made.engine?.rulesDigest)
      else {
        return Verification(
          report: stored.summary.id, group: group,
          causes: [.unreadable("there are fewer reports in its bytes")])
      }
      let old = stored.document.array
      guard old != document else {
        return Verification(report: stored.summary.id, group: group)
      }
      let causes = try causes(between: made, and: report)
      return Verification(
        report: stored.summary.id, group: group, causes: causes.isEmpty ? [.unexplained] : causes,
        documents: (old, document))
    } catch let error as ParseError {
      return Verification(
        report: stored.summary.id, group: group, causes: [.unreadable(error.description)])
    } catch StoreError.damagedBlob(let path, let reason) {
      return Verification(
        report: stored.summary.id, group: group, causes: [.damage("\(path): \(reason)")])
    }
  }

  private func causes(
    between made: CrashReport, and now: CrashReport
  ) throws -> [Verification.Cause] {
    var causes: [Verification.Cause] = []
    guard let old = made.engine, let new = now.engine else { return [] }
    if old.version != new.version { causes.append(.engine(made: old.version, now: new.version)) }
    if old.rulesDigest != new.rulesDigest {
      causes.append(.rules(made: old.rulesDigest, now: new.rulesDigest))
    }
    if old.scrubRules != new.scrubRules {
      causes.append(.scrubRules(made: old.scrubRules, now: new.scrubRules))
    }
    if let one = old.symbolCacheVersion, let other = new.symbolCacheVersion, one != other {
      causes.append(.symbolCache(made: one, now: other))
    }
    let ids = Set(old.debugFiles.keys).union(new.debugFiles.keys)
    for id in ids.sorted(by: { $0.description < $1.description }) {
      let name = name(of: id, in: made) ?? self.name(of: id, in: now)
      switch (old.debugFiles[id], new.debugFiles[id]) {
      case (let one?, let other) where one != other:
        causes.append(try cause(of: one, other, id, name, in: made))
      case (nil, .some): causes.append(.newDebugFile(name: name, debugID: id))
      default: continue
      }
    }
    return causes
  }

  /// Returns why a debug file used originally is not used today.
  private func cause(
    of old: String, _ new: String?, _ id: DebugID, _ name: String?, in report: CrashReport
  ) throws -> Verification.Cause {
    let symbols = StoredSymbols(in: store)
    let candidates = try report.images.filter { $0.debugID == id }.flatMap {
      try symbols.candidates(for: $0)
    }
    if let new, candidates.contains(where: { $0.digest == old }) {
      return .otherDebugFile(name: name, debugID: id, made: old, now: new)
    }
    return try store.debugFiles.contains(digest: old)
      ? .damagedDebugFile(name: name, debugID: id, digest: old)
      : .absentDebugFile(name: name, debugID: id, digest: old)
  }

  private func name(of id: DebugID, in report: CrashReport) -> String? {
    report.images.lazy.filter { $0.debugID == id }.compactMap { $0.symbols?.file ?? $0.name }.first
  }
}
