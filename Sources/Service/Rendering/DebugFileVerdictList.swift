internal import Bytes
package import CrashService
internal import Identifiers

/// Verdicts, one per line; a reason has its own line.
package struct DebugFileVerdictList {
  package let verdicts: [DebugFileVerdict]

  package func lines(width: Int, styles: Styles) -> [String] {
    guard !verdicts.isEmpty else { return [] }
    var table = TextTable([
      .text("VERDICT"), .text("ARCH"), .text("DEBUG ID"), .text("FILE", .atStart),
    ])
    for verdict in verdicts {
      table.add(
        [
          verdict.outcome.rawValue, verdict.architecture?.description.printable ?? "",
          verdict.debugID?.description ?? "", verdict.path.printable,
        ], style: verdict.outcome == .refused ? styles.warning : nil)
    }
    return table.lines(width: width, styles: styles, notes: verdicts.map(\.reason))
  }

  package init(verdicts: [DebugFileVerdict]) {
    self.verdicts = verdicts
  }
}
