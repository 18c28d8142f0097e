internal import Arguments

/// The form in which a report is printed.
package enum ReportForm: String, CaseIterable, ArgumentValue {
  case text, json, md
  /// Apple's text reports, `.crash`.
  case apple
  /// Text output of the `minidump-stackwalk` of Breakpad and rust-minidump.
  case minidumpStackwalk = "minidump-stackwalk"
}
