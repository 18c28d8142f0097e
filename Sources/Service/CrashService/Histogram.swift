package import CrashStore

/// Reports and groups by the values of a field.
package struct Histogram: Hashable, Sendable {
  package struct Row: Hashable, Sendable {
    /// The value; empty for reports without one.
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
  /// Whether shares are shares of groups.
  package var countsGroups: Bool
  /// The total number of reports or groups.
  package var total: Int
  /// The number of values besides the rows.
  package var omitted: Int

  /// - Parameters:
  ///   - counts: The counts that order the rows.
  ///   - others: The other counts: groups or reports.
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

  /// Creates the histogram of an empty store.
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

  /// Returns the count that orders the rows.
  package func main(_ row: Row) -> Int { countsGroups ? row.groups : row.reports }
}
