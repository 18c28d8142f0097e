internal import Bytes
internal import Database
internal import Segments
internal import Statistics

/// Compares the values of a group's cases with those of others of its app.
struct GroupComparison {
  let group: Int
  private let fields: [ComparedField]
  let scan: CaseScan
  /// Cases of the group and of others; `kept` only those with known tags, which deleted reports have lost.
  private(set) var all = ValueCounts.Count()
  private var kept = ValueCounts.Count()

  /// A value that was counted.
  struct Value {
    let field: ComparedField
    let code: Int
    let count: ValueCounts.Count
  }

  /// A value, and the others that exactly the same reports have.
  struct Candidate {
    let value: Value
    var synonyms: [Value] = []
  }

  /// A value that is more frequent in the group.
  struct Finding {
    let candidate: Candidate
    /// Without texts at first.
    var correlation: Correlation

    var value: Value { candidate.value }
    /// How much larger its share of the group is than its share of the others.
    var excess: Double { correlation.share - correlation.otherShare }

    /// Whether it is shown before another: by the excess, then by the probability.
    func precedes(_ other: Finding) -> Bool {
      if excess != other.excess { return excess > other.excess }
      if correlation.pValue != other.correlation.pValue {
        return correlation.pValue < other.correlation.pValue
      }
      return value.code < other.value.code
    }
  }

  /// - Parameter conditions: Conditions for the reports of both.
  init(
    of group: RowID<Tables.Groups>, _ fields: [ComparedField],
    among conditions: [CompiledCondition], in database: borrowing Connection
  ) throws {
    self.group = group.rawValue
    self.fields = fields
    scan = try CaseScan(
      conditions, reading: [.release, .install] + fields.map(\.column), in: database)
  }

  /// - Returns: The number of compared values, and those that are more frequent.
  mutating func run(
    in database: borrowing Connection
  ) throws -> (tested: Int, items: [Correlation]) {
    let candidates = distinct(try values(in: database))
    guard all.own > 0, all.other > 0 else { return (0, []) }
    var findings = significant(candidates).sorted { $0.precedes($1) }
    findings = Array(findings.prefix(Correlations.mostItems))
    try addReleases(to: &findings, in: database)
    findings.removeAll { $0.correlation.installs < FirstBadBuild.leastInstalls }
    return (candidates.count, try findings.map { try Self.withTexts($0, in: database) })
  }

  private func all(of field: ComparedField) -> ValueCounts.Count {
    field.field == .tag ? kept : all
  }

  // MARK: Counting

  private mutating func values(in database: borrowing Connection) throws -> [Value] {
    var totals = [ValueCounts](repeating: ValueCounts(), count: fields.count)
    let columns = fields.map(\.column)
    let (fields, group) = (fields, group)
    var (all, kept) = (all, kept)
    for found in try scan.ofSegments({ part, rows throws(ParseError) in
      try SegmentValueCounts(rows, of: part, group, fields)
    }) {
      for (rows, counts, isOwn) in [
        (found.own, found.ownValues, true), (found.others, found.otherValues, false),
      ] {
        func count(_ count: Int, _ mark: UInt64 = 0) -> ValueCounts.Count {
          ValueCounts.Count(own: isOwn ? count : 0, other: isOwn ? 0 : count, mark: mark)
        }
        all += count(rows)
        kept += count(rows)
        for (index, values) in counts.enumerated() {
          for value in values where value.value != 0 {
            totals[index].add(value.value, count(value.count, value.mark))
          }
        }
      }
    }
    try scan.ofChunks(Array(Set(columns)), in: database) { chunk, rows in
      let groups = chunk[.group]
      func count(_ row: Int) -> ValueCounts.Count {
        let isOwn = groups[row] == group
        return ValueCounts.Count(
          own: isOwn ? 1 : 0, other: isOwn ? 0 : 1,
          mark: CaseScan.mixed(UInt64(truncatingIfNeeded: chunk.row(row))))
      }
      for row in rows { all += count(row) }
      if !chunk.isPast { for row in rows { kept += count(row) } }
      for (index, field) in fields.enumerated() {
        let column = chunk[columns[index]]
        for row in rows where column[row] != 0 {
          totals[index].add(field.code(column[row]), count(row))
        }
      }
    }
    (self.all, self.kept) = (all, kept)
    var values: [Value] = []
    for (field, tally) in zip(fields, totals) {
      if field.field.set == nil {
        values += tally.counts.map { Value(field: field, code: $0.code, count: $0.count) }
      } else {
        values += try Self.members(tally, field, in: database)
      }
    }
    return values.filter { value in
      let count = value.count
      let all = self.all(of: value.field)
      return count.own + count.other >= Correlations.leastCases
        && (count.own, count.other) != (all.own, all.other)
    }
  }

  /// The cases in a segment by value.
  private struct SegmentValueCounts {
    /// How many there are of the group, and of others.
    let own: Int
    let others: Int
    /// Counts of each field.
    let ownValues: [[MarkedCount]]
    let otherValues: [[MarkedCount]]

    /// - Throws: `ParseError` where the file is damaged.
    init(
      _ rows: RowSet, of part: SearchSegments.Part, _ group: Int, _ fields: [ComparedField]
    ) throws(ParseError) {
      let seed = CaseScan.mixed(UInt64(truncatingIfNeeded: ~part.chunks.lowerBound))
      let (own, others) = try part.divided(rows, by: group)
      let columns = fields.map(\.counted)
      ownValues = try part.segment.markedCounts(by: columns, of: own, seed: seed)
      otherValues = try part.segment.markedCounts(by: columns, of: others, seed: seed)
      (self.own, self.others) = (own.count, others.count)
    }
  }

  /// Returns the members of the counted sets, with their counts.
  private static func members(
    _ sets: ValueCounts, _ field: ComparedField, in database: borrowing Connection
  ) throws -> [Value] {
    let counts = Dictionary(sets.counts.map { ($0.code, $0.count) }) { first, _ in first }
    let ids = SearchTerm.ids(of: field.field)
    var members: [Int: ValueCounts.Count] = [:]
    let rows = try database.prepare("SELECT id, members FROM search_sets")
    while try rows.step() {
      guard let count = counts[try rows.int("id")] else { continue }
      for member in try rows.withBlob("members", SearchSet.decode) where ids.contains(member) {
        members[member, default: ValueCounts.Count()] += count
      }
    }
    var values: [Value] = []
    for (id, count) in members.sorted(by: { $0.key < $1.key })
    where count.own + count.other >= Correlations.leastCases {
      let value = Value(field: field, code: SearchTerm.code(id), count: count)
      if field.field == .tag {
        let name = try Self.text(of: value, in: database).field.dropFirst("tag.".count)
        guard
          field.tag.map({ $0.lowercased() == name.lowercased() })
            ?? !ComparedField.crashTags.contains(String(name))
        else { continue }
      }
      values.append(value)
    }
    return values
  }

  /// Joins values that the same reports have, in the order of the fields.
  private func distinct(_ values: [Value]) -> [Candidate] {
    struct Key: Hashable {
      let own: Int
      let other: Int
      let mark: UInt64
    }
    var indices: [Key: Int] = [:]
    var candidates: [Candidate] = []
    for value in values {
      let key = Key(own: value.count.own, other: value.count.other, mark: value.count.mark)
      if let index = indices[key] {
        candidates[index].synonyms.append(value)
      } else {
        indices[key] = candidates.count
        candidates.append(Candidate(value: value))
      }
    }
    return candidates
  }

  // MARK: Findings

  /// Returns the candidates that are more frequent in the group than chance explains, and by enough to matter.
  private func significant(_ candidates: [Candidate]) -> [Finding] {
    let pValues = candidates.map { pValue(of: $0.value) }
    let adjusted = HolmCorrection.adjusted(pValues, of: candidates.count)
    var findings: [Finding] = []
    for (index, candidate) in candidates.enumerated() where adjusted[index] < Correlations.level {
      let value = candidate.value
      let all = all(of: value.field)
      let finding = Finding(
        candidate: candidate,
        correlation: Correlation(
          field: "", value: "", cases: value.count.own, allCases: all.own,
          otherCases: value.count.other, allOtherCases: all.other,
          pValue: pValues[index].significant(6),
          adjustedPValue: adjusted[index].significant(6)))
      if value.count.own >= Correlations.leastCases,
        finding.excess * 100 >= Double(Correlations.leastDifference)
      {
        findings.append(finding)
      }
    }
    return findings
  }

  /// Returns the probability that chance alone gives the group as many cases with a value.
  private func pValue(of value: Value) -> Double {
    let all = all(of: value.field)
    guard all.own > 0, all.other > 0 else { return 1 }
    return FisherTest.pValue(
      of: .init(marked: value.count.own, of: all.own),
      over: .init(marked: value.count.other, of: all.other))
  }

  // MARK: Texts

  private static func withTexts(
    _ finding: Finding, in database: borrowing Connection
  ) throws -> Correlation {
    var correlation = finding.correlation
    (correlation.field, correlation.value) = try text(of: finding.value, in: database)
    correlation.synonyms = try finding.candidate.synonyms.map { try condition($0, in: database) }
    return correlation
  }

  /// Returns a value as a condition of a query.
  private static func condition(
    _ value: Value, in database: borrowing Connection
  ) throws -> String {
    let (field, text) = try text(of: value, in: database)
    let isPlain = text.allSatisfy { $0.isLetter || $0.isNumber || "._-,".contains($0) }
    return "\(field):" + (isPlain ? text : "\"\(text)\"")
  }

  private static func text(
    of value: Value, in database: borrowing Connection
  ) throws -> (field: String, text: String) {
    if value.field.field == .uptime {
      return (value.field.name, value.field.text(ofRange: value.code))
    }
    let text = try SearchTerms.text(value.field.field, value.code, in: database)
    guard value.field.field == .tag else { return (value.field.name, text) }
    let parts = text.split(
      separator: SearchTerm.tagSeparator, maxSplits: 1, omittingEmptySubsequences: false)
    return ("tag.\(parts[0])", parts.count > 1 ? String(parts[1]) : "")
  }
}
