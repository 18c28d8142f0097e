internal import CrashService

/// Shares as percentages.
package enum Percent {
  /// `58 %`, `5.7 %`, `<0.1 %`; only the whole is `100 %`.
  package static func text(_ part: Int, of whole: Int) -> String {
    guard whole > 0, part > 0 else { return "0 %" }
    let share = Double(part) / Double(whole) * 100
    if share < 0.1 { return "<0.1 %" }
    if share < 9.95 { return "\(Double(Int(share * 10 + 0.5)) / 10) %" }
    return "\(part < whole ? min(99, Int(share + 0.5)) : 100) %"
  }
}
