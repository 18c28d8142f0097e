import Grouping
import CrashStore
import Pipeline

extension LateSymbols {
  /// Does all reports again that are to be done again, and shows how far it has come.
  ///
  /// - Returns: How many were done again here.
  static func run(in store: CrashStore, _ console: Console) throws -> Int {
    let bar = ProgressBar("Reports that waited", isOn: console.isErrorTerminal)
    defer { bar.finish() }
    let counts = CountLines("reports that waited done again", isOn: !console.isErrorTerminal)
    return try LateSymbols(in: store, signer: Signer(rules: .v1)).run { done, total in
      bar.update(done, of: total)
      counts.update(done, of: total)
    }
  }
}
