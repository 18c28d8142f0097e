internal import Bytes
public import CrashModel
public import CrashStore
public import Grouping
public import Symbolication
public import Workers

/// Does stored reports again whose missing debug files have arrived.
///
/// Exactly the reports that wait for them are read from their submissions again and replaced: none
/// counts twice, and a group that all of its reports follow keeps its name.
public struct LateSymbols: Sendable {
  private let store: CrashStore
  private let symbolicator: Symbolicator
  private let signer: Signer
  private let width: Int

  /// Reports that are replaced at once, which bounds the memory.
  private static let batch = 2000

  /// - Parameters:
  ///   - symbolicator: One that finds the new debug files.
  ///   - width: How many threads work.
  public init(
    in store: CrashStore, symbolicator: Symbolicator, signer: Signer,
    width: Int = Workers.processorCount
  ) {
    self.store = store
    self.symbolicator = symbolicator
    self.signer = signer
    self.width = width
  }

  /// - Parameters:
  ///   - arrived: The ids of the debug files that are there now.
  ///   - progress: Told after each batch how many reports are done, and how many there are.
  /// - Returns: The reports that were done again, with their groups.
  /// - Throws: The store's error; what was replaced before it stays replaced.
  public func run(
    _ arrived: [DebugID], progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws -> [Receipt.FiledUnder] {
    var waiting: [String] = []
    var seen: Set<String> = []
    for id in arrived { waiting += try store.waiting(for: id).filter { seen.insert($0).inserted } }
    var done: [Receipt.FiledUnder] = []
    var rest = waiting[...]
    while !rest.isEmpty {
      let ids = Array(rest.prefix(Self.batch))
      rest = rest.dropFirst(ids.count)
      let replacements = Workers.map(count: ids.count, width: width) { index in
        Result { try replacement(for: ids[index]) }
      }
      done += try store.replace(replacements.compactMap { try $0.get() })
      progress(done.count, waiting.count)
    }
    return done
  }

  /// `nil` when the submission reads as another report today: then the one that is known stays.
  private func replacement(for id: String) throws -> PreparedReplacement? {
    let stored = try store.report(id)
    let remake = ReportRemake(in: store, symbolicator: symbolicator, signer: signer)
    guard let (report, document) = try remake.remake(stored) else { return nil }
    return try PreparedReplacement(
      of: id, received: stored.summary.received, by: report, document: ByteView(document))
  }
}
