internal import Bytes
internal import CrashModel
package import CrashService

/// Two reports side by side: equal steps on one line, steps of one report on their own line.
package struct ComparisonText {
  package var width = 80
  package var styles = Styles.plain
  /// Whether every frame is shown.
  package var isFull = false

  package init(width: Int = 80, styles: Styles = .plain, isFull: Bool = false) {
    self.width = width
    self.styles = styles
    self.isFull = isFull
  }

  /// The number of equal rows shown on either side of a difference.
  private static let context = 4

  package func lines(for comparison: Comparison) -> [String] {
    var lines: [String] = []
    for (name, one) in [("A", comparison.first), ("B", comparison.second)] {
      let title = [one.membership?.group, one.signature.text].compactMap { $0?.printable }
        .joined(separator: "  ")
      lines += title.lines(of: width - 3).enumerated().map {
        ($0 == 0 ? name + "  " : "   ") + styles.strong($1)
      }
      lines.append("   " + styles.dim("report \(one.id.printable), key \(one.signature.key)"))
    }
    lines += ["", comparison.verdict.printable]
    for reason in comparison.reasons {
      lines += reason.printable.lines(of: width - 4).enumerated().map {
        ($0 == 0 ? "  - " : "    ") + $1
      }
    }
    return lines + rows(of: comparison)
  }

  private func rows(of comparison: Comparison) -> [String] {
    let rows = comparison.rows
    guard !rows.isEmpty else { return [] }
    var lines = ["", styles.dim("     A    B  CLASS     STEP")]
    let difference = comparison.firstDifference
    let shown = isFull ? Set(rows.indices) : Self.near(rows)
    var hidden = 0
    for (index, row) in rows.enumerated() {
      guard shown.contains(index) else {
        hidden += 1
        continue
      }
      lines += fold(&hidden)
      lines += self.lines(for: row, isFirstDifference: index == difference)
    }
    lines += fold(&hidden)
    if difference == nil { lines += ["", "They do not differ in any step."] }
    return lines
  }

  /// Returns the rows that differ, those near them, and those in the text.
  private static func near(_ rows: [Comparison.Row]) -> Set<Int> {
    var shown: Set<Int> = []
    var budget = 60
    for (index, row) in rows.enumerated() where budget > 0 {
      let isUsed = row.first?.used == true || row.second?.used == true
      guard !row.isSame || isUsed else { continue }
      budget -= 1
      let reach = row.isSame ? 0 : context
      shown.formUnion(max(0, index - reach)...min(rows.count - 1, index + reach))
    }
    return shown.isEmpty ? Set(rows.indices.prefix(context)) : shown
  }

  private func fold(_ count: inout Int) -> [String] {
    defer { count = 0 }
    return count == 0 ? [] : [styles.dim("        … \(GroupText.count(count, "step", "steps"))")]
  }

  private func lines(for row: Comparison.Row, isFirstDifference: Bool) -> [String] {
    if let first = row.first, let second = row.second, !row.isSame {
      // The same name, but with another class, or in the text of only one.
      return line(first, number: [first.frame, nil], "A", isFirstDifference)
        + line(second, number: [nil, second.frame], "B", false)
    }
    guard let step = row.first ?? row.second else { return [] }
    let mark = row.isSame ? " " : row.first == nil ? "B" : "A"
    return line(step, number: [row.first?.frame, row.second?.frame], mark, isFirstDifference)
  }

  private func line(
    _ step: SignatureStep, number: [Int?], _ mark: String, _ isFirstDifference: Bool
  ) -> [String] {
    let numbers = number.map { ($0.map(String.init) ?? "").padded(to: 4, right: true) }
    let head =
      "\(mark) \(numbers[0]) \(numbers[1])  \((step.frameClass ?? "").padded(to: 8))"
      + (step.used ? "▸ " : "  ")
    let name = step.frame == nil ? "\(step.subject): \(step.result)" : step.result
    let tail = isFirstDifference ? "  ← the first difference" : ""
    let room = max(16, width - head.columns - tail.columns)
    let text = (name.isEmpty ? "-" : name.printable).lines(of: room, atMost: isFull ? .max : 2)
    let margin = String(repeating: " ", count: head.columns)
    return text.enumerated().map { index, part in
      let line = (index == 0 ? head : margin) + part
      return styled(line, mark, isUsed: step.used) + (index == 0 ? styles.strong(tail) : "")
    }
  }

  private func styled(_ line: String, _ mark: String, isUsed: Bool) -> String {
    switch mark {
    case "A": styles.warning(line)
    case "B": styles.location(line)
    default: isUsed ? line : styles.dim(line)
    }
  }
}
