internal import Bytes
public import CrashModel
public import CrashStore
internal import ObjectFormats
public import SymbolSources

/// Files debug files in a store, with a verdict for each.
public struct SymbolFiling {
  /// What became of one debug file, or of one architecture of it.
  public struct Verdict: Sendable {
    public enum Outcome: Sendable, Equatable {
      case added
      /// The same bytes were there.
      case known
      case refused(reason: String)
    }

    public var path: String
    public var outcome: Outcome
    /// `nil` for a file that was refused before it could be read.
    public var file: DebugFile?
  }

  private let store: CrashStore

  public init(into store: CrashStore) { self.store = store }

  /// Files everything below `paths`: folders, dSYM bundles, archives, single files.
  ///
  /// - Parameters:
  ///   - time: The time that is noted for all of them.
  ///   - progress: Told each verdict as it is known.
  /// - Throws: The store's error, such as of a full disk; what was filed before it stays filed.
  public func add(
    _ paths: [String], time: Timestamp, progress: (Verdict) -> Void = { _ in }
  ) throws -> [Verdict] {
    let scan = DebugFileScanner().scan(paths)
    var verdicts: [Verdict] = []
    func note(_ verdict: Verdict) {
      verdicts.append(verdict)
      progress(verdict)
    }
    for refusal in scan.refusals {
      note(Verdict(path: refusal.path, outcome: .refused(reason: refusal.reason), file: nil))
    }
    for file in scan.files {
      note(Verdict(path: file.path, outcome: try add(file, time: time), file: file))
    }
    return verdicts
  }

  private func add(_ file: DebugFile, time: Timestamp) throws -> Verdict.Outcome {
    guard let id = file.debugID else {
      return .refused(reason: "it carries no id by which a report could ask for it")
    }
    guard file.usability != .stripped else {
      return .refused(reason: "it has neither debug information nor symbols")
    }
    let record = DebugFileRecord(
      debugID: id, codeID: file.codeID, architecture: file.architecture,
      kind: file.usability == .debugInfo ? "debug-info" : "symbols", name: file.name,
      digest: file.digest, size: file.fileBytes.count, added: time)
    let isNew = try store.addDebugFile(file.fileBytes, records: [record])
    return isNew.contains(true) ? .added : .known
  }
}
