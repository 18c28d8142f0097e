internal import Bytes
package import CrashStore
internal import Identifiers
internal import Statistics

/// Groups that became more frequent, for a reader.
package struct RegressionText {
  package let regressions: AppRegressions

  package init(_ regressions: AppRegressions) { self.regressions = regressions }

  package func lines(width: Int, styles: Styles) -> [String] {
    let among = regressions.basis == .sessions ? "by sessions" : "by reports"
    let since = regressions.since.map { " since \(GroupText.day($0))" } ?? ""
    let facts =
      "\(regressions.app): \(GroupText.count(regressions.builds.count, "build", "builds")) compared "
      + "\(among)\(since), \(GroupText.count(regressions.tested, "group", "groups")) tested"
    var lines = facts.printable.lines(of: max(20, width)).map(styles.dim)
    guard !regressions.groups.isEmpty || regressions.whole != nil else { return lines }
    var table = TextTable([
      .text("SINCE", .atEnd), .text("GROUP"), .text("BEFORE"), .number("CASES"),
      .number("CONFIDENCE"),
      .text("SIGNATURE", .atEnd),
    ])
    for item in [regressions.whole].compactMap({ $0 }) + regressions.groups {
      table.add([
        item.release.name.printable, item.group.isEmpty ? "all" : item.group.printable,
        item.isNew ? "new" : Self.counts(item.former), Self.counts(item.new),
        Self.confidence(item.confidence), item.title.printable,
      ])
    }
    lines += table.lines(width: width, styles: styles)
    let more = regressions.total - regressions.groups.count
    return lines + (more > 0 ? [styles.dim("and \(more) more: --limit")] : [])
  }

  /// `First bad build 1.1.0 (117), >99.9 % sure: 12 of 900 sessions, before 0 of 2300`
  package static func line(_ item: FirstBadBuild, _ basis: AppRegressions.Basis) -> String {
    let among = basis == .sessions ? "sessions" : "cases"
    return "First bad build \(item.release.name), \(confidence(item.confidence)) sure: "
      + "\(counts(item.new)) \(among), before \(counts(item.former))"
  }

  private static func counts(_ sample: FisherTest.Sample) -> String {
    "\(sample.marked) of \(sample.all)"
  }

  /// Returns the confidence, rounded down.
  package static func confidence(_ share: Double) -> String {
    let tenths = Int((share * 1000 + 1e-6).rounded(.down))
    return tenths >= 999 ? ">99.9 %" : "\(tenths / 10).\(tenths % 10) %"
  }
}

/// The values that are more frequent in a group than in its app, for a reader.
package struct CorrelationText {
  package let correlations: Correlations

  package init(_ correlations: Correlations) { self.correlations = correlations }

  package func lines(width: Int, styles: Styles) -> [String] {
    let title = "\(correlations.group)  \(correlations.title)".printable
    let facts =
      "\(GroupText.count(correlations.cases, "case", "cases")), \(correlations.otherCases) of other "
      + "groups of \(correlations.app); "
      + "\(GroupText.count(correlations.tested, "value", "values")) compared"
    let own = correlations.items.filter { !$0.followsRelease }
    let others = correlations.items.filter(\.followsRelease)
    return [styles.strong(title.truncated(to: width))]
      + facts.printable.lines(of: max(20, width)).map(styles.dim)
      + table(own, width, styles)
      + (others.isEmpty
        ? []
        : ["", styles.strong("As frequent in other groups of the same releases")]
          + table(others, width, styles))
  }

  private func table(_ items: [Correlation], _ width: Int, _ styles: Styles) -> [String] {
    guard !items.isEmpty else { return [] }
    var table = TextTable([
      .text("FIELD"), .text("VALUE", .atEnd), .number("GROUP"), .number(""), .number("APP"),
      .number(""), .number("P"),
    ])
    for item in items {
      let (some, all) = (item.cases + item.otherCases, item.allCases + item.allOtherCases)
      table.add([
        item.field.printable, item.value.printable, "\(item.cases) of \(item.allCases)",
        Percent.text(item.cases, of: item.allCases), "\(some) of \(all)",
        Percent.text(some, of: all), Self.probability(item.adjustedPValue),
      ])
    }
    let notes = items.map { item in
      item.synonyms.isEmpty ? nil : "also " + item.synonyms.joined(separator: " ").printable
    }
    return table.lines(width: width, styles: styles, notes: notes)
  }

  private static func probability(_ p: Double) -> String {
    p > 0 ? "\(p.significant(2))" : "<1e-290"
  }
}
