internal import Arguments
package import CrashInput
internal import Pipeline
package import Terminal

/// How a command that reads many files reports its progress.
package struct ProgressOptions {
  @Option(
    "--progress",
    help: """
      What to report on standard error: auto (a bar on a terminal), json (a line each minute and a summary \
      with the slowest files), none.
      """)
  var form = ProgressForm.auto

  package init() {}

  /// - Parameters:
  ///   - total: What the paths have; `nil` if that is unknown.
  ///   - isShown: Whether a bar may be shown on a terminal.
  package func begin(
    _ title: String, of total: () -> InputCount?, _ console: Console, isShown: Bool = true
  ) -> ProgressReport {
    let mayBeBar = form == .auto && isShown && console.isErrorTerminal
    let total = mayBeBar || form == .json ? total() : nil
    // A single file is read at once.
    let isBar = mayBeBar && total.map { $0.files > 1 } ?? true
    return ProgressReport(title, of: total, isBar: isBar, isJSON: form == .json)
  }
}

enum ProgressForm: String, CaseIterable, ArgumentValue {
  case auto, json, none
}
