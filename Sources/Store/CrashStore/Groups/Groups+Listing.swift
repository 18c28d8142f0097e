internal import Database
internal import Query
internal import TriageModel

extension CrashStore.Groups {
  /// Returns a page of groups with the figures around it. The reports of the store are scanned at most once.
  ///
  /// - Throws: ``StoreError/wrongCursor(_:)``; `DatabaseError`.
  /// - Complexity: If all conditions are on groups, O(*n*) in the groups and their days; otherwise O(*n*) in
  ///   the reports of the store, a few nanoseconds each.
  public func listing(_ query: GroupListingQuery) throws -> GroupListing {
    try store.read { database in
      let search = Query(conditions: query.scope.conditions + query.groups.query.conditions)
      var list = query.groups
      list.query = search
      return try search.asksForGroups
        ? Self.storedListing(query, list, in: database)
        : Self.scannedListing(query, list, in: database)
    }
  }

  // MARK: Conditions on groups

  /// - Parameter list: The list with all conditions but those on the state.
  private static func storedListing(
    _ query: GroupListingQuery, _ list: GroupQuery, in database: borrowing Connection
  ) throws -> GroupListing {
    var listing = GroupListing()
    let filter = try GroupFilter(list.query, in: database)
    if let filter { listing.matching = try counts(of: filter, in: database) }
    listing.all = listing.matching
    if query.scope != list.query {
      let scope = try GroupFilter(query.scope, in: database)
      listing.all = try scope.map { try counts(of: $0, in: database) } ?? [:]
    }
    listing.groups = try page(of: list) { list, after in
      guard var filter else { return Part() }
      if let states = query.states { filter.limit(to: states) }
      listing.days = try CrashStore.Search.dailyReports(
        ofGroups: filter, from: query.days.lowerBound, through: query.days.upperBound - 1,
        in: database)
      let total = listing.matching.reduce(0) { sum, item in
        sum + (query.states?.contains(item.key) == false ? 0 : item.value)
      }
      let part = try part(of: list, filter, total: total, after: after, in: database)
      for group in part.items { listing.firstSeen[group.id] = group.firstSeen }
      listing.daysOfGroups = try days(of: part, query.daysOfGroups, in: database)
      return part
    }
    return listing
  }

  /// The reports of the groups of a page on some days, from the counters.
  private static func days(
    of part: Part, _ days: Range<Int>, in database: borrowing Connection
  ) throws -> [String: [Int: Int]] {
    var counts: [String: [Int: Int]] = [:]
    for (cursor, group) in zip(part.cursors, part.items) {
      let found = try CrashStore.Search.dailyReports(
        ofGroup: RowID(cursor.row), days: days, in: database)
      if !found.isEmpty { counts[group.id] = found }
    }
    return counts
  }

  private static func counts(
    of filter: GroupFilter, in database: borrowing Connection
  ) throws -> [GroupState: Int] {
    // Grouping by the state would sort the groups.
    let counts = GroupState.allCases.map { "count(CASE WHEN state = '\($0.rawValue)' THEN 1 END)" }
    let rows = try database.prepare(
      "SELECT \(counts.joined(separator: ", ")) FROM groups WHERE \(filter.sql)", filter.values)
    guard try rows.step() else { throw StoreError.damaged("groups have no count") }
    var found: [GroupState: Int] = [:]
    for (index, state) in GroupState.allCases.enumerated() {
      let count = rows.int(index)
      if count > 0 { found[state] = count }
    }
    return found
  }

  // MARK: Conditions on reports

  private static func scannedListing(
    _ query: GroupListingQuery, _ list: GroupQuery, in database: borrowing Connection
  ) throws -> GroupListing {
    var listing = GroupListing()
    let states = try states(of: query.scope, in: database)
    for state in states.values { listing.all[state, default: 0] += 1 }
    let listed = query.states.map { wanted in
      CodeSet(states.lazy.filter { wanted.contains($0.value) }.map(\.key))
    }
    // Counters have the days of groups, and outlive their reports.
    let reports = list.query.withoutTimes
    let countsDays = query.limitsDays || !reports.asksForGroups
    let scan = try GroupScan(
      list, keepsTimes: !reports.asksForGroups,
      days: countsDays ? .init(groups: listed, limitsTimes: query.limitsDays) : nil, in: database)
    if countsDays {
      listing.days = scan.days.counts.filter { query.days.contains($0.key) }
    } else if var filter = try GroupFilter(reports, in: database) {
      if let states = query.states { filter.limit(to: states) }
      listing.days = try CrashStore.Search.dailyReports(
        ofGroups: filter, from: query.days.lowerBound, through: query.days.upperBound - 1,
        in: database)
    }
    for group in scan.groups.keys {
      if let state = states[group] { listing.matching[state, default: 0] += 1 }
    }
    let groups = listed.map { listed in scan.groups.filter { listed.contains($0.key) } }
    listing.groups = try page(of: list) { list, after in
      let part = try part(
        of: list, groups ?? scan.groups, scan, after: after,
        days: reports.asksForGroups ? nil : query.daysOfGroups, in: database)
      listing.firstSeen = part.firstSeen
      listing.daysOfGroups =
        try reports.asksForGroups ? days(of: part, query.daysOfGroups, in: database) : part.days
      return part
    }
    return listing
  }

  /// The states of groups by row.
  private static func states(
    of query: Query, in database: borrowing Connection
  ) throws -> [Int: GroupState] {
    guard let filter = try GroupFilter(query, in: database) else { return [:] }
    let rows = try database.prepare(
      "SELECT id, state FROM groups WHERE " + filter.sql, filter.values)
    var states: [Int: GroupState] = [:]
    while try rows.step() {
      try states[rows.int("id")] = GroupState(rawValue: rows.text("state")) ?? .open
    }
    return states
  }
}
