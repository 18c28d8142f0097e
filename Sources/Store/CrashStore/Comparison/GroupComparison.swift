internal import CrashModel
internal import Database
internal import Statistics

/// Compares the values of a group's cases with those of others of its app.
struct GroupComparison {
  private let group: Int
  private let fields: [ComparedField]
  private let scan: CaseScan
  /// Cases of the group and of others; `kept` only those with known tags, which deleted reports have lost.
  private(set) var all = ValueTally.Count()
  private var kept = ValueTally.Count()

  /// A value that was counted.
  private struct Value {
    let field: ComparedField
    let code: Int
    let count: ValueTally.Count
  }

  init(of group: RowID<Tables.Groups>, _ fields: [ComparedField], _ scan: CaseScan) {
    self.group = group.rawValue
    self.fields = fields
    self.scan = scan
  }

  /// - Returns: The number of compared values, and those that are more frequent.
  mutating func run(
    in database: borrowing Connection
  ) throws -> (tested: Int, items: [Correlation]) {
    let values = try distinct(try self.values(in: database))
    guard all.own > 0, all.other > 0 else { return (0, []) }
    let pValues = values.map { value in
      let all = all(of: value[0].field)
      guard all.own > 0, all.other > 0 else { return 1.0 }
      return FisherTest.pValue(
        of: .init(marked: value[0].count.own, of: all.own),
        over: .init(marked: value[0].count.other, of: all.other))
    }
    let adjusted = HolmCorrection.adjusted(pValues, of: values.count)
    var found: [(value: [Value], item: Correlation)] = []
    for (index, value) in values.enumerated() where adjusted[index] < Correlations.level {
      let all = all(of: value[0].field)
      let item = Correlation(
        field: "", value: "", cases: value[0].count.own, allCases: all.own,
        otherCases: value[0].count.other, allOtherCases: all.other,
        pValue: pValues[index].significant(6),
        adjustedPValue: adjusted[index].significant(6))
      guard item.cases >= Correlations.leastCases,
        (item.share - item.otherShare) * 100 >= Double(Correlations.leastDifference)
      else { continue }
      found.append((value, item))
    }
    found.sort { left, right in
      let (one, other) = (left.item, right.item)
      return (other.share - other.otherShare, one.pValue, left.value[0].code)
        < (one.share - one.otherShare, other.pValue, right.value[0].code)
    }
    found = Array(found.prefix(Correlations.mostItems))
    try addReleases(to: &found, in: database)
    found.removeAll { $0.item.installs < FirstBadBuild.leastInstalls }
    let items = try found.map { value, item in
      var item = item
      (item.field, item.value) = try Self.text(of: value[0], in: database)
      item.synonyms = try value.dropFirst().map { same in
        let (field, text) = try Self.text(of: same, in: database)
        let isPlain = text.allSatisfy { $0.isLetter || $0.isNumber || "._-,".contains($0) }
        return "\(field):" + (isPlain ? text : "\"\(text)\"")
      }
      return item
    }
    return (values.count, items)
  }

  private func all(of field: ComparedField) -> ValueTally.Count { field.field == .tag ? kept : all }

  // MARK: Counting

  private mutating func values(in database: borrowing Connection) throws -> [Value] {
    var tallies = [ValueTally](repeating: ValueTally(), count: fields.count)
    let columns = fields.map(\.column)
    let (fields, group) = (fields, group)
    var (all, kept) = (all, kept)
    try scan.run(Array(Set(columns)), in: database) { chunk, places in
      let groups = chunk[.group]
      func count(_ place: Int) -> ValueTally.Count {
        let isOwn = groups[place] == group
        return ValueTally.Count(
          own: isOwn ? 1 : 0, other: isOwn ? 0 : 1,
          mark: CaseScan.mixed(UInt64(truncatingIfNeeded: chunk.first + place)))
      }
      for place in places { all += count(place) }
      if !chunk.isPast { for place in places { kept += count(place) } }
      for (index, field) in fields.enumerated() {
        let column = chunk[columns[index]]
        for place in places where column[place] != 0 {
          tallies[index].add(field.code(column[place]), count(place))
        }
      }
    }
    (self.all, self.kept) = (all, kept)
    var values: [Value] = []
    for (field, tally) in zip(fields, tallies) {
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

  /// Returns the members of the counted sets, with their counts.
  private static func members(
    _ sets: ValueTally, _ field: ComparedField, in database: borrowing Connection
  ) throws -> [Value] {
    let counts = Dictionary(sets.counts.map { ($0.code, $0.count) }) { first, _ in first }
    let ids = SearchTerm.ids(of: field.field)
    var members: [Int: ValueTally.Count] = [:]
    let rows = try database.prepare("SELECT id, members FROM search_sets")
    while try rows.step() {
      guard let count = counts[try rows.int("id")] else { continue }
      for member in try rows.withBlob("members", SearchSet.decode) where ids.contains(member) {
        members[member, default: ValueTally.Count()] += count
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
  private func distinct(_ values: [Value]) throws -> [[Value]] {
    struct Key: Hashable {
      let own: Int
      let other: Int
      let mark: UInt64
    }
    var places: [Key: Int] = [:]
    var distinct: [[Value]] = []
    for value in values {
      let key = Key(own: value.count.own, other: value.count.other, mark: value.count.mark)
      if let place = places[key] {
        distinct[place].append(value)
      } else {
        places[key] = distinct.count
        distinct.append([value])
      }
    }
    return distinct
  }

  // MARK: Findings

  /// Adds the number of installations, and the share that would follow from the releases alone.
  private func addReleases(
    to found: inout [(value: [Value], item: Correlation)], in database: borrowing Connection
  ) throws {
    guard !found.isEmpty else { return }
    var holders: [SearchField: [Int: [Int]]] = [:]
    for (index, (value, _)) in found.enumerated() where value[0].field.field.set == nil {
      holders[value[0].field.field, default: [:]][value[0].code, default: []].append(index)
    }
    let sets = found.enumerated().filter { $0.element.value[0].field.field.set != nil }
    if !sets.isEmpty {
      let wanted = Dictionary(
        sets.map { index, element in
          let value = element.value[0]
          return (SearchTerm.ids(of: value.field.field).lowerBound + value.code, index)
        }
      ) { first, _ in first }
      let rows = try database.prepare("SELECT id, members FROM search_sets")
      while try rows.step() {
        let id = try rows.int("id")
        for member in try rows.withBlob("members", SearchSet.decode) {
          guard let index = wanted[member] else { continue }
          holders[found[index].value[0].field.column, default: [:]][id, default: []].append(index)
        }
      }
    }
    let uptime = ComparedField(name: "uptime", field: .uptime)
    let columns = holders.keys.sorted { $0.rawValue < $1.rawValue }
    struct Stratum {
      var own = 0
      var other = 0
      /// Cases of other groups with each of the values.
      var values: [Int: Int] = [:]
    }
    var strata: [Int: Stratum] = [:]
    var installs = InstallCounter()
    var nameless = [Int](repeating: 0, count: found.count)
    try scan.run([.release, .install] + columns, in: database) { chunk, places in
      let (groups, releases, names) = (chunk[.group], chunk[.release], chunk[.install])
      for place in places {
        if groups[place] == group {
          strata[releases[place], default: Stratum()].own += 1
        } else {
          strata[releases[place], default: Stratum()].other += 1
        }
      }
      for field in columns {
        let column = chunk[field]
        let holders = holders[field] ?? [:]
        for place in places {
          let code = field == .uptime ? uptime.code(column[place]) : column[place]
          for index in holders[code] ?? [] {
            if groups[place] != group {
              strata[releases[place], default: Stratum()].values[index, default: 0] += 1
            } else if names[place] == 0 {
              nameless[index] += 1
            } else {
              installs.add(names[place], of: index)
            }
          }
        }
      }
    }
    let counts = installs.finish()
    // Sums of fractions depend on their order.
    let ordered = strata.sorted { $0.key < $1.key }.map(\.value).filter { $0.own > 0 }
    for index in found.indices {
      found[index].item.installs = nameless[index] + (index < counts.count ? counts[index] : 0)
      guard !found[index].value[0].field.isRelease else { continue }
      let usual = found[index].item.otherShare
      let expected = ordered.reduce(0.0) { sum, stratum in
        let share =
          stratum.other > 0
          ? Double(stratum.values[index] ?? 0) / Double(stratum.other) : usual
        return sum + share * Double(stratum.own)
      }
      found[index].item.expectedShare = (expected / Double(all.own)).significant(6)
    }
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
