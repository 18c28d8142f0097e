internal import Bytes
internal import Database
internal import Query
internal import Segments

/// Counts reports, or groups, by the number of a value.
struct FieldCounter {
  private let source: ValueSource
  private let what: FieldCounts.What
  private let column: SearchField
  /// Reports by number.
  private var reports: [Int] = []
  /// Reports by numbers that no valid row can have.
  private var odd: [Int: Int] = [:]
  /// Highest number used as an index: rows that were tampered with may contain any number.
  private static let most = 1 << 24
  /// The numbers of each group, when groups are counted.
  private var pairs = NumberSet()
  private var groups = CodeSet()
  private var total = 0

  init(_ source: ValueSource, _ what: FieldCounts.What) {
    self.source = source
    self.what = what
    let field = SearchField(source)
    column = field?.set ?? field ?? .group
  }

  var fields: [SearchField] { [column] }

  /// Adds rows of a segment.
  ///
  /// - Throws: `ParseError` where the file is damaged; then nothing was added.
  mutating func add(_ rows: RowSet, of part: SearchSegments.Part) throws {
    switch what {
    case .reports:
      let counts = try part.segment.counts(by: SegmentColumn(column), of: rows)
      total += rows.count
      for count in counts { add(count.count, of: count.value) }
    case .groups:
      let counts = try part.segment.countsByOrigin(and: SegmentColumn(column), of: rows)
      for count in counts {
        add(group: count.origin)
        pairs.insert(NumberSet.pair(count.origin, count.value))
      }
    }
  }

  private mutating func add(_ count: Int, of value: Int) {
    guard value >= 0, value < Self.most else {
      odd[value, default: 0] += count
      return
    }
    if value >= reports.count {
      reports.append(
        contentsOf: repeatElement(0, count: max(value + 1 - reports.count, reports.count)))
    }
    reports[value] += count
  }

  private mutating func add(group: Int) {
    guard !groups.contains(group) else { return }
    groups.insert(group)
    total += 1
  }

  mutating func add(_ positions: ChunkPositions, of chunk: SearchChunk) {
    let values = chunk[column]
    let groups = chunk[.group]
    switch what {
    case .reports:
      total += positions.count
      for position in positions { add(1, of: values[position]) }
    case .groups:
      for position in positions { add(group: groups[position]) }
      for position in positions { pairs.insert(NumberSet.pair(groups[position], values[position])) }
    }
  }

  func result(
    tag: String?, limit: Int?, in database: borrowing Connection
  ) throws -> FieldCounts {
    var counts = try counts(tag: tag, in: database).map {
      FieldCounts.Count(value: $0.key, count: $0.value)
    }
    counts.sort { ($1.count, $0.value) < ($0.count, $1.value) }
    let kept = limit.map { min(max($0, 0), counts.count) } ?? counts.count
    return FieldCounts(
      counts: Array(counts[..<kept]), omitted: counts.count - kept, total: total)
  }

  private func counts(
    tag: String?, in database: borrowing Connection
  ) throws -> [String: Int] {
    // The texts of a number: one value, or those of a set.
    let texts = try texts(tag: tag, in: database)
    var counts: [String: Int] = [:]
    switch what {
    case .reports:
      for (number, count) in reports.enumerated() where count > 0 {
        for text in texts(number) { counts[text, default: 0] += count }
      }
      for (number, count) in odd {
        for text in texts(number) { counts[text, default: 0] += count }
      }
    case .groups:
      var seen: [String: Set<Int>] = [:]
      pairs.forEach { pair in
        let group = Int(pair >> 32)
        for text in texts(Int(pair & 0xffff_ffff)) { seen[text, default: []].insert(group) }
      }
      counts = seen.mapValues(\.count)
    }
    return counts
  }

  private func texts(
    tag: String?, in database: borrowing Connection
  ) throws -> (Int) -> [String] {
    var known: [Int: [String]] = [:]
    if column == .group {
      known = try groupTexts(in: database)
      return { known[$0] ?? [""] }
    }
    guard let field = SearchField(source) else { return { _ in [""] } }
    if field.set != nil {
      known = try setTexts(field, tag: tag, in: database)
      return { known[$0] ?? [""] }
    }
    let base = SearchTerm.ids(of: field).lowerBound
    for number in numbers where number != 0 {
      known[number] = [
        try database.requiredText(
          "SELECT text FROM search_terms WHERE id = ?1", base.addingClamped(number))
      ]
    }
    return { known[$0] ?? [""] }
  }

  /// The numbers that occurred.
  private var numbers: Set<Int> {
    switch what {
    case .reports: return Set(reports.indices.filter { reports[$0] > 0 }).union(odd.keys)
    case .groups:
      var numbers: Set<Int> = []
      pairs.forEach { numbers.insert(Int($0 & 0xffff_ffff)) }
      return numbers
    }
  }

  private func groupTexts(in database: borrowing Connection) throws -> [Int: [String]] {
    let value =
      switch source {
      case .app: "apps.name"
      case .state: "groups.state"
      case .assignee: "coalesce(groups.assignee, '')"
      default: "apps.prefix || '-' || groups.number"
      }
    let rows = try database.prepare(
      "SELECT groups.id, \(value) AS value FROM groups JOIN apps ON apps.id = groups.app"
        + " WHERE groups.redirect IS NULL")
    var texts: [Int: [String]] = [:]
    while try rows.step() { try texts[rows.int("id")] = [rows.text("value")] }
    return texts
  }

  /// The texts of a field in each set.
  private func setTexts(
    _ field: SearchField, tag: String?, in database: borrowing Connection
  ) throws -> [Int: [String]] {
    let ids = SearchTerm.ids(of: field)
    let prefix = SearchTerm.tag(tag ?? "", "").text
    let folded = TextPattern.folded(prefix)
    let numbers = numbers
    var names: [Int: String] = [:]
    var texts: [Int: [String]] = [:]
    let rows = try database.prepare("SELECT id, members FROM search_sets")
    while try rows.step() {
      guard try numbers.contains(rows.int("id")) else { continue }
      var values: [String] = []
      for member in try rows.withBlob("members", SearchSet.decode) where ids.contains(member) {
        let name: String
        if let known = names[member] {
          name = known
        } else {
          name =
            try database.requiredText("SELECT text FROM search_terms WHERE id = ?1", member)
          names[member] = name
        }
        if field != .tag {
          values.append(name)
        } else if TextPattern.folded(name).starts(with: folded) {
          values.append(String(name.dropFirst(prefix.count)))
        }
      }
      if !values.isEmpty { try texts[rows.int("id")] = values }
    }
    return texts
  }
}
