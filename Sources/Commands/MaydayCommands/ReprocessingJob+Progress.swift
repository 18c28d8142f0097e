import Terminal
import Rendering
import CrashStore
import Grouping
import Pipeline

extension ReprocessingJob {
  /// Reprocesses all waiting reports, shows the progress, and warns of reports that failed.
  ///
  /// - Returns: The number of reports reprocessed here.
  static func run(in store: CrashStore, _ console: Console) throws -> Int {
    let bar = ProgressBar("Reports that waited", isOn: console.isErrorTerminal)
    let counts = CountLines("waiting reports reprocessed", isOn: !console.isErrorTerminal)
    let done = try ReprocessingJob(in: store, signer: Signer(rules: .standard)).run { done, total in
      bar.update(done, of: total)
      counts.update(done, of: total)
    }
    bar.finish()
    let problems = try store.reports.reprocessingProblems().count
    if problems > 0 {
      console.warn(
        "\(GroupText.count(problems, "report", "reports")) could not be reprocessed: "
          + "mayday symbols retry names them")
    }
    return done
  }
}
