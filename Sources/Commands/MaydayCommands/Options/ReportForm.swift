import Arguments

/// The form in which a report is printed.
enum ReportForm: String, CaseIterable, ArgumentValue {
  case text, json, md
  /// Apple's text reports, `.crash`.
  case apple
  /// The text of Breakpad's and rust-minidump's command of this name.
  case minidumpStackwalk = "minidump-stackwalk"
}
