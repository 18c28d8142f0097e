package import CrashStore

/// Reports and groups by the values of a field.
package struct Histogram: Hashable, Sendable {
  package struct Row: Hashable, Sendable {
    /// Empty where reports say nothing.
    package var value: String
    package var reports: Int
    package var groups: Int

    package init(value: String, reports: Int, groups: Int) {
      self.value = value
      self.reports = reports
      self.groups = groups
    }
  }

  package var field: String
  package var rows: [Row]
  /// Whether shares are those of groups.
  package var countsGroups: Bool
  /// How many reports, or groups, there are in all.
  package var total: Int
  /// How many values there are besides the rows.
  package var omitted: Int

  /// - Parameters:
  ///   - counts: Of what the rows are ordered by.
  ///   - others: Of the other: groups, or reports.
  package init(_ field: String, _ counts: FieldCounts, others: FieldCounts, countsGroups: Bool) {
    self.field = field
    self.countsGroups = countsGroups
    total = counts.total
    omitted = counts.omitted
    let more = Dictionary(
      others.counts.map { ($0.value, $0.count) }, uniquingKeysWith: { first, _ in first })
    rows = counts.counts.map { count in
      let other = more[count.value] ?? 0
      return Row(
        value: count.value, reports: countsGroups ? other : count.count,
        groups: countsGroups ? count.count : other)
    }
  }

  /// That of a store in which there is nothing.
  package init(emptyBy field: String, countsGroups: Bool) {
    self.field = field
    self.countsGroups = countsGroups
    rows = []
    total = 0
    omitted = 0
  }

  package init(
    field: String, rows: [Row], countsGroups: Bool, total: Int, omitted: Int
  ) {
    self.field = field
    self.rows = rows
    self.countsGroups = countsGroups
    self.total = total
    self.omitted = omitted
  }

  /// What the rows are ordered by.
  package func main(_ row: Row) -> Int { countsGroups ? row.groups : row.reports }
}
