import CrashModel
import CrashStore
import Grouping
import Pipeline
import Symbolication

/// Stored reports that wait for debug files.
enum WaitingReports {
  /// Does the reports again that wait for debug files, and for those that other processes add
  /// meanwhile: what is written here may have been worked out before such a file was there.
  ///
  /// - Parameters:
  ///   - known: How many debug files the store had when `arrived` was made.
  /// - Returns: How often a report was done again.
  static func doAgain(
    _ arrived: [DebugID], known: Int, in store: CrashStore,
    progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws -> Int {
    var arrived = arrived
    var known = known
    var count = 0
    while !arrived.isEmpty {
      // A new one each time: it remembers what it did not find.
      let symbolicator = Symbolicator(
        sources: [StoredSymbols(in: store)], shelf: SymbolShelf(folder: store.caches))
      count += try LateSymbols(in: store, symbolicator: symbolicator, signer: Signer(rules: .v1))
        .run(arrived, progress: progress).count
      let files = try store.debugFiles()
      arrived = files.dropFirst(known).map(\.debugID)
      known = files.count
    }
    return count
  }
}
