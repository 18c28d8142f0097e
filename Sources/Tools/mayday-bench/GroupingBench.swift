internal import Bytes
internal import CrashModel
internal import Glibc
internal import Grouping
internal import JSON
internal import Likeness
internal import TriageModel

/// Computes the signatures of a labelled collection's reports, for a scorer, and measures how fast.
///
/// Uses version 2 of the rules, or version 1 with `--rules v1`.
///
/// Reads a JSON object per line from standard input: `id`, `source`, `project`, `reason` (`type`, `message`),
/// `frames` (`function`, `module`, `file`, `line`), `causes` (exceptions of the same shape). Writes `id`, a
/// tab and the key that names its group to standard output; with `--text` the true group, the category and
/// the text in place of the key. Measurements go to standard error; where the objects name their true
/// `group`, also how well the groups agree with it. `--without PART` leaves out a step or a list of the
/// rules; `--ablation` does so with each that version 1 lacks. `--link on|off|0.70` sets which keys are
/// linked by likeness; `--ranking FILE` writes the earlier reports most similar to each.
enum GroupingBench {
  /// Maximum size of standard input in bytes.
  private static let inputLimit = 1 << 30
  /// Duration of each measurement, in ticks of `clock()`.
  private static let passTime = CLOCKS_PER_SEC

  static func run(_ arguments: [String] = []) {
    guard
      let input = try? ByteView(descriptor: 0, name: "standard input", limit: inputLimit)
    else {
      note("standard input cannot be read")
      return
    }
    let rows = lines(of: input).compactMap(LabelledReport.init)
    let rules = GroupingRules.standard
    var signer = Signer(rules: rules)
    if let list = value(of: "--without", arguments) {
      guard let other = Signer(rules: rules, without: list) else {
        note("\(rules.version) has no list \"\(list)\"")
        return
      }
      signer = other
    }
    guard let policy = linkPolicy(arguments) else {
      note("--link is on, off, or a likeness from 0.01 to 1, such as 0.70")
      return
    }
    let signatures = rows.map { signer.signature(of: $0.report, app: $0.app) }
    let groups = groups(rows, signatures, policy)
    if let path = value(of: "--ranking", arguments),
      !LikenessBench(rows, signatures).writeRanking(to: path)
    {
      note("\(path) cannot be written")
    }
    let showsText = arguments.contains("--text")
    for (index, row) in rows.enumerated() {
      let signature = signatures[index]
      print(
        showsText
          ? "\(row.id)\t\(row.group)\t\(signature.category.rawValue)\t\(signature.text)"
          : "\(row.id)\t\(groups[index])")
      guard arguments.contains("--steps") else { continue }
      for step in signature.steps {
        print(
          "    \(step.used ? "*" : " ") \(step.frameClass ?? "-")\t\(step.result)\t\(step.rule)\t"
            + step.subject)
      }
    }
    if arguments.contains("--ablation") {
      note(TextTable.text(ablation(rows, rules)))
      return
    }
    let labels = labels(rows, groups)
    if !labels.isEmpty { note(TextTable.text(GroupingScore.table(labels))) }
    if !arguments.contains("--text") { measure(rows, rules) }
  }

  private static func value(of option: String, _ arguments: [String]) -> String? {
    arguments.firstIndex(of: option).flatMap {
      arguments.indices.contains($0 + 1) ? arguments[$0 + 1] : nil
    }
  }

  private static func linkPolicy(_ arguments: [String]) -> LinkPolicy? {
    value(of: "--link", arguments).map { LinkPolicy($0) } ?? .standard
  }

  /// Returns for each report the key that names its group, joining keys as the store does.
  static func groups(
    _ rows: [LabelledReport], _ signatures: [Signature], _ policy: LinkPolicy
  ) -> [String] {
    var readings: [String: Set<String>] = [:]
    var weak: [String: Set<String>] = [:]
    var builds: [String: Set<String>] = [:]
    let keys = zip(rows, signatures).map { row, signature in
      let key = "\(row.app)/\(signature.key)"
      readings[key, default: []].formUnion(
        signature.exactAlternativeKeys.map { "\(row.app)/\($0)" })
      builds[key, default: []].insert(row.build)
      weak[key, default: []].formUnion(signature.weakAlternativeKeys.map { "\(row.app)/\($0)" })
      return key
    }
    let links = LikenessBench(rows, signatures).links(policy)
    let held = KeyPartition.unrefuted(weak, builds: builds)
    let roots = LinkedKeys.roots(KeyPartition.roots(of: readings, weak: held), links: links)
    return keys.map { roots[$0] ?? $0 }
  }

  static func labels(
    _ rows: [LabelledReport], _ groups: [String]
  ) -> [(source: String, key: String, group: String)] {
    zip(rows, groups).compactMap { row, group in
      row.group.isEmpty ? nil : (row.source, group, row.group)
    }
  }

  /// Prints signatures per second: with a signer that has seen nothing before each report, with a new signer
  /// for all, and with one that has seen everything.
  private static func measure(_ rows: [LabelledReport], _ rules: GroupingRules) {
    guard !rows.isEmpty else { return }
    let frames = rows.reduce(0) { $0 + $1.frames }
    var found = 0
    /// Returns the best of several runs of all rows, as other programs disturb each.
    func rate(_ signer: () -> Signer) -> Int {
      var best = 0
      var total: clock_t = 0
      repeat {
        let signer = signer()
        let start = clock()
        // A span gives reports without copies of them.
        let rows = rows.span
        for index in rows.indices {
          found += signer.signature(of: rows[index].report, app: rows[index].app).steps.count
        }
        let time = max(clock() - start, 1)
        best = max(best, Int(Double(rows.count) * Double(CLOCKS_PER_SEC) / Double(time)))
        total += time
      } while total < passTime
      return best
    }
    let forgetful = Signer(rules: rules, remembers: false)
    let known = Signer(rules: rules)
    let cold = rate { forgetful }
    let first = rate { Signer(rules: rules) }
    note(
      """
      \(rows.count) reports, \(frames / rows.count) frames each on average
      \(cold) signatures a second of processor time with nothing remembered
      \(first) with a new signer for all
      \(rate { known }) with all names remembered
      """)
  }

  private static func note(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }

  private static func lines(of input: ByteView) -> [ByteView] {
    var lines: [ByteView] = []
    var start = 0
    for index in 0..<input.count where input[index] == 0x0A {
      if index > start { lines.append(input.clamped(start..<index)) }
      start = index + 1
    }
    if start < input.count { lines.append(input.clamped(start..<input.count)) }
    return lines
  }
}
