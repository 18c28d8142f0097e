internal import Bytes
internal import Database
internal import Segments
internal import Statistics

extension GroupComparison {
  /// The cases of one release.
  private struct Stratum {
    var own = 0
    var other = 0
    /// Cases of other groups with the value of each finding, by its index.
    var values: [Int: Int] = [:]
  }

  /// The numbers of a column that stand for findings.
  private struct NumberedValues {
    let field: SearchField
    let counted: CountedColumn
    /// For each number of the column its index in ``findings``.
    let numbers: [Int: Int]
    /// The indices of the findings.
    let findings: [[Int]]

    init(_ field: SearchField, _ holders: [Int: [Int]]) {
      self.field = field
      counted = ComparedField(name: "", field: field).counted
      let sorted = holders.sorted { $0.key < $1.key }
      numbers = Dictionary(zip(sorted.map(\.key), 0...)) { first, _ in first }
      findings = sorted.map(\.value)
    }
  }

  /// The cases in a segment by release.
  private struct SegmentStrata {
    let own: [ValueCount]
    let others: [ValueCount]
    /// Values of other groups for each column.
    let values: [[ClassCount]]
    /// The columns of the group's cases.
    let ownRows: SegmentRows

    /// - Throws: `ParseError` where the file is damaged.
    init(
      _ rows: RowSet, of part: SearchSegments.Part, _ group: Int, _ columns: [NumberedValues]
    ) throws(ParseError) {
      let (own, others) = try part.divided(rows, by: group)
      self.own = try part.segment.counts(by: .release, of: own)
      self.others = try part.segment.counts(by: .release, of: others)
      var values: [[ClassCount]] = []
      for column in columns {
        values.append(
          try part.segment.countsByRelease(
            and: column.counted, in: column.numbers, count: column.findings.count, of: others))
      }
      self.values = values
      ownRows = try SegmentRows(own, of: part, [.install] + columns.map(\.field))
    }
  }

  /// Adds the number of installations, and the share that would follow from the releases alone.
  func addReleases(
    to findings: inout [Finding], in database: borrowing Connection
  ) throws {
    guard !findings.isEmpty else { return }
    let holders = try Self.holders(of: findings, in: database)
    let uptime = ComparedField(name: "uptime", field: .uptime)
    let columns = holders.keys.sorted { $0.rawValue < $1.rawValue }
    var strata: [Int: Stratum] = [:]
    var installs = InstallCounter()
    var nameless = [Int](repeating: 0, count: findings.count)
    /// Counts the installations of the group's cases.
    func countInstalls(_ chunk: SearchChunk, _ rows: ChunkPositions) {
      let (groups, names) = (chunk[.group], chunk[.install])
      for field in columns {
        let column = chunk[field]
        let holders = holders[field] ?? [:]
        for row in rows where groups[row] == group {
          let code = field == .uptime ? uptime.code(column[row]) : column[row]
          for index in holders[code] ?? [] {
            if names[row] == 0 {
              nameless[index] += 1
            } else {
              installs.add(names[row], of: index)
            }
          }
        }
      }
    }
    let numbered = columns.map { NumberedValues($0, holders[$0] ?? [:]) }
    let group = group
    for found in try scan.ofSegments({ part, rows throws(ParseError) in
      try SegmentStrata(rows, of: part, group, numbered)
    }) {
      for count in found.own { strata[count.value, default: Stratum()].own += count.count }
      for count in found.others { strata[count.value, default: Stratum()].other += count.count }
      for (column, counts) in zip(numbered, found.values) {
        for count in counts {
          for index in column.findings[count.valueClass] {
            strata[count.release, default: Stratum()].values[index, default: 0] += count.count
          }
        }
      }
      found.ownRows.forEachChunk(countInstalls)
    }
    try scan.ofChunks([.release, .install] + columns, in: database) { chunk, rows in
      let (groups, releases) = (chunk[.group], chunk[.release])
      for row in rows {
        if groups[row] == group {
          strata[releases[row], default: Stratum()].own += 1
        } else {
          strata[releases[row], default: Stratum()].other += 1
        }
      }
      for field in columns {
        let column = chunk[field]
        let holders = holders[field] ?? [:]
        for row in rows where groups[row] != group {
          let code = field == .uptime ? uptime.code(column[row]) : column[row]
          for index in holders[code] ?? [] {
            strata[releases[row], default: Stratum()].values[index, default: 0] += 1
          }
        }
      }
      countInstalls(chunk, rows)
    }
    let counts = installs.finish()
    // Sums of fractions depend on their order.
    let ordered = strata.sorted { $0.key < $1.key }.map(\.value)
    for index in findings.indices {
      findings[index].correlation.installs =
        nameless[index] + (index < counts.count ? counts[index] : 0)
      if !findings[index].value.field.isRelease {
        findings[index].correlation.expectedShare = expectedShare(
          of: index, usual: findings[index].correlation.otherShare, ordered)
      }
    }
  }

  /// Returns the numbers of the index that stand for each finding: for each column, the indices of the findings
  /// by number. A value that is a member of sets has the numbers of these sets.
  private static func holders(
    of findings: [Finding], in database: borrowing Connection
  ) throws -> [SearchField: [Int: [Int]]] {
    var holders: [SearchField: [Int: [Int]]] = [:]
    var members: [Int: Int] = [:]
    for (index, finding) in findings.enumerated() {
      let value = finding.value
      if value.field.field.set == nil {
        holders[value.field.field, default: [:]][value.code, default: []].append(index)
      } else {
        let member = SearchTerm.ids(of: value.field.field).lowerBound + value.code
        if members[member] == nil { members[member] = index }
      }
    }
    guard !members.isEmpty else { return holders }
    let rows = try database.prepare("SELECT id, members FROM search_sets")
    while try rows.step() {
      let id = try rows.int("id")
      for member in try rows.withBlob("members", SearchSet.decode) {
        guard let index = members[member] else { continue }
        let column = findings[index].value.field.column
        holders[column, default: [:]][id, default: []].append(index)
      }
    }
    return holders
  }

  /// Returns the share of a value if it were as frequent in each release of the group as in other groups.
  ///
  /// - Parameters:
  ///   - index: The index of its finding.
  ///   - usual: Its share of all other groups, for releases that only this group has.
  private func expectedShare(of index: Int, usual: Double, _ strata: [Stratum]) -> Double {
    let expected = strata.reduce(0.0) { sum, stratum in
      guard stratum.own > 0 else { return sum }
      let share =
        stratum.other > 0 ? Double(stratum.values[index] ?? 0) / Double(stratum.other) : usual
      return sum + share * Double(stratum.own)
    }
    return (expected / Double(all.own)).significant(6)
  }
}

extension SearchSegments.Part {
  /// Divides rows into those of a group and the others.
  ///
  /// - Throws: `ParseError` where the file is damaged.
  func divided(
    _ rows: RowSet, by group: Int
  ) throws(ParseError) -> (own: RowSet, others: RowSet) {
    let isOwn = SegmentCondition([.values(SegmentColumn(.group), ValueSet([group]))])
    let own = try self.rows(of: rows, matching: [isOwn])
    var others = rows
    others.subtract(own)
    return (own, others)
  }
}
