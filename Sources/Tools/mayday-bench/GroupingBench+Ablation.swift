internal import CrashModel
internal import Grouping
internal import TriageModel

extension GroupingBench {
  /// The worth of each list of the rules: how well groups agree with the true ones without it, over all
  /// reports, and how much the list adds in the worst fold.
  ///
  /// Folds keep true groups together, and those of one project where there are projects.
  static func ablation(_ rows: [LabelledReport], _ rules: GroupingRules) -> [[String]] {
    var lines = [["without", "source", "precision", "recall", "F1", "pairwise F1", "worst fold"]]
    let all = signatures(rows, Signer(rules: rules))
    lines += table("", rows, all, all)
    for list in rules.lists.map(\.name) {
      guard let signer = Signer(rules: rules, without: list) else { continue }
      lines += table(list, rows, signatures(rows, signer), all)
    }
    return lines
  }

  private static func signatures(_ rows: [LabelledReport], _ signer: Signer) -> [Signature] {
    rows.map { signer.signature(of: $0.report, app: $0.app) }
  }

  private static func table(
    _ name: String, _ rows: [LabelledReport], _ signatures: [Signature], _ all: [Signature]
  ) -> [[String]] {
    let scores = GroupingScore.table(labels(rows, groups(rows, signatures, .own(.off))))
    return scores.dropFirst().map { line in
      let source = line[0]
      let worst = worstFold(source, rows, signatures, all)
      return [name, source] + line.dropFirst(2)
        + [worst.map { GroupingScore.thousandths($0) } ?? "-"]
    }
  }

  private static let folds = 5

  /// Returns the smallest gain in F1 of a source's folds; `nil` for the mean of the sources.
  private static func worstFold(
    _ source: String, _ rows: [LabelledReport], _ signatures: [Signature], _ all: [Signature]
  ) -> Double? {
    let own = rows.indices.filter { rows[$0].source == source }
    guard !own.isEmpty else { return nil }
    // Projects in order of their names, or true groups, are assigned to the folds in turn.
    let units = own.map { rows[$0].app == source ? rows[$0].group : rows[$0].app }
    let order = Dictionary(
      uniqueKeysWithValues: Set(units).sorted().enumerated().map { ($1, $0 % folds) })
    return (0..<folds).map { fold in
      let members = zip(own, units).filter { order[$1] == fold }.map(\.0)
      func f1(_ signatures: [Signature]) -> Double {
        let rows = members.map { rows[$0] }
        let groups = groups(rows, members.map { signatures[$0] }, .own(.off))
        return GroupingScore(labels(rows, groups).map { (key: $0.key, group: $0.group) }).f1
      }
      return f1(all) - f1(signatures)
    }.min()
  }
}
