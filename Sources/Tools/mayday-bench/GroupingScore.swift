/// The agreement of keys with the true groups of labelled reports.
///
/// B-cubed: for each report, the share of the reports with its key that belong to its true group (precision),
/// and the share of its true group that has its key (recall), averaged over all reports. Pairwise: the same
/// over pairs of reports that share a key, and pairs that share a group.
///
/// Source: Bagga and Baldwin, "Entity-based cross-document coreferencing using the vector space
/// model", 1998.
struct GroupingScore {
  let reports: Int
  let precision: Double
  let recall: Double
  let pairwise: Double

  static func f1(_ precision: Double, _ recall: Double) -> Double {
    precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0
  }

  var f1: Double { Self.f1(precision, recall) }

  init(_ labels: [(key: String, group: String)]) {
    var keys: [String: Int] = [:]
    var groups: [String: Int] = [:]
    var both: [String: (key: String, group: String, count: Int)] = [:]
    for (key, group) in labels {
      keys[key, default: 0] += 1
      groups[group, default: 0] += 1
      both[key + "\u{1f}" + group, default: (key, group, 0)].count += 1
    }
    func pairs(_ count: Int) -> Int { count * (count - 1) / 2 }
    var precision = 0.0
    var recall = 0.0
    // The order of a dictionary changes from run to run, and with it the sum's last digits.
    for cell in both.sorted(by: { $0.key < $1.key }).map(\.value) {
      let square = Double(cell.count * cell.count)
      precision += square / Double(keys[cell.key] ?? 1)
      recall += square / Double(groups[cell.group] ?? 1)
    }
    let shared = both.values.reduce(0) { $0 + pairs($1.count) }
    let byKey = keys.values.reduce(0) { $0 + pairs($1) }
    let byGroup = groups.values.reduce(0) { $0 + pairs($1) }
    reports = labels.count
    self.precision = precision / Double(max(reports, 1))
    self.recall = recall / Double(max(reports, 1))
    pairwise = Self.f1(
      Double(shared) / Double(max(byKey, 1)), Double(shared) / Double(max(byGroup, 1)))
  }

  /// Returns a number with three decimal places: `0.812`, `-0.004`.
  static func thousandths(_ number: Double) -> String {
    let thousandths = Int((abs(number) * 1000).rounded())
    let digits = String(thousandths % 1000)
    return (number < 0 && thousandths > 0 ? "-" : "") + "\(thousandths / 1000)."
      + String(repeating: "0", count: 3 - digits.count) + digits
  }

  /// Returns a table over the sources of the reports, with the mean of the sources at its end.
  static func table(_ rows: [(source: String, key: String, group: String)]) -> [[String]] {
    var lines = [["source", "reports", "precision", "recall", "F1", "pairwise F1"]]
    func cells(_ numbers: [Double]) -> [String] { numbers.map(thousandths) }
    let sources = Set(rows.map(\.source)).sorted()
    var sums = [Double](repeating: 0, count: 4)
    for source in sources {
      let score = GroupingScore(
        rows.filter { $0.source == source }.map { (key: $0.key, group: $0.group) })
      let figures = [score.precision, score.recall, score.f1, score.pairwise]
      for (index, figure) in figures.enumerated() { sums[index] += figure }
      lines.append([source, String(score.reports)] + cells(figures))
    }
    lines.append(
      ["mean of the sources", String(rows.count)]
        + cells(sums.map { $0 / Double(max(sources.count, 1)) }))
    return lines
  }
}
