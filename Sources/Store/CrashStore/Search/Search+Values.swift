internal import Database
internal import Identifiers
public import Query
internal import Segments

extension CrashStore.Search {
  /// Maximum number of values of a field to read, newest first, if no index covers them.
  static let lookedAt = 10_000

  /// Values of a field that contain a text, as suggestions while the user types a query. Values that begin
  /// with the text come first; versions are ordered from the newest.
  ///
  /// - Parameters:
  ///   - text: The text, ignoring case; empty for any.
  ///   - app: Only values of this app; `nil` for all.
  ///   - limit: The maximum number of values.
  /// - Returns: The values; none for fields whose values are not texts or never repeat.
  /// - Throws: `DatabaseError`.
  /// - Complexity: O(1) in the reports of the store for all apps; for one of them O(*n*) in a column of the
  ///   index.
  public func values(
    of field: QueryField, holding text: String, app: String? = nil, limit: Int
  ) throws -> [String] {
    try store.read { database in
      let app = try app.map { name in
        let found = try AppsTable.known(name, in: database)
        return found.row
      }
      var values: Set<String> = []
      for source in field.sources {
        switch source {
        case .app, .group, .assignee:
          values.formUnion(try Self.names(source, text, app, in: database))
        default:
          guard let column = SearchField(source), !column.isShape else { continue }
          values.formUnion(
            try Self.terms(column, tag: field.tag, text, app, limit: limit, in: database))
        }
      }
      return Self.ordered(values, field, text, limit: limit)
    }
  }

  /// The tags that reports have, by their names in queries.
  ///
  /// - Throws: `DatabaseError`.
  public func tagNames(app: String? = nil, limit: Int) throws -> [String] {
    try store.read { database in
      let app = try app.flatMap { try AppsTable.find($0, in: database)?.row }
      let terms = try SearchTerms.newest(.tag, limit: Self.lookedAt, in: database)
      let known = try app.map { try Self.numbers(.tag, of: $0, in: database) }
      var names: Set<String> = []
      for term in terms where known?.contains(SearchTerm.code(term.id)) ?? true {
        guard let end = term.text.firstRange(of: SearchTerm.tagSeparator) else { continue }
        let key = String(term.text[..<end.lowerBound])
        let isProperty = key.hasPrefix(ReportValues.propertyPrefix)
        names.insert(
          isProperty
            ? "property." + key.dropFirst(ReportValues.propertyPrefix.count) : "tag." + key)
      }
      return Array(names.sorted().prefix(limit))
    }
  }

  private static func ordered(
    _ values: Set<String>, _ field: QueryField, _ text: String, limit: Int
  ) -> [String] {
    let folded = TextPattern.folded(text)
    let sorted = values.filter { !$0.isEmpty }
      .map { (value: $0, isFirst: TextPattern.folded($0).starts(with: folded)) }
      .sorted { one, other in
        if one.isFirst != other.isFirst { return one.isFirst }
        guard field.kind == .version else { return one.value < other.value }
        let order = VersionOrder.compare(one.value, other.value)
        return order != 0 ? order > 0 : one.value < other.value
      }
    return sorted.prefix(limit).map(\.value)
  }

  /// Names of apps, groups or assignees.
  private static func names(
    _ source: ValueSource, _ text: String, _ app: RowID<Tables.Apps>?,
    in database: borrowing Connection
  ) throws -> [String] {
    let folded = TextPattern.folded(text)
    let rows =
      switch source {
      case .app:
        try database.prepare("SELECT name FROM apps WHERE id = ?1 OR ?1 IS NULL", [app?.rawValue])
      case .assignee:
        try database.prepare(
          """
          SELECT DISTINCT assignee AS name FROM groups
          WHERE assignee IS NOT NULL AND (app = ?1 OR ?1 IS NULL)
          """, [app?.rawValue])
      default:
        try database.prepare(
          """
          SELECT apps.prefix || '-' || groups.number AS name
          FROM groups JOIN apps ON apps.id = groups.app
          WHERE groups.redirect IS NULL AND (groups.app = ?1 OR ?1 IS NULL)
          ORDER BY groups.last_seen DESC LIMIT ?2
          """, [app?.rawValue, lookedAt])
      }
    var names: [String] = []
    while try rows.step() {
      let name = try rows.text("name")
      if folded.isEmpty || TextPattern.folded(name).contains(folded) { names.append(name) }
    }
    return names
  }

  private static func terms(
    _ field: SearchField, tag: String?, _ text: String, _ app: RowID<Tables.Apps>?, limit: Int,
    in database: borrowing Connection
  ) throws -> [String] {
    let prefix = tag.map { SearchTerm.tag($0, "").text } ?? ""
    let found = try SearchTerms.holding(
      text, after: prefix, field, limit: lookedAt, in: database)
    let known = try app.map { try numbers(field, of: $0, in: database) }
    return found.filter { known?.contains(SearchTerm.code($0.id)) ?? true }
      .map { String($0.text.dropFirst(prefix.count)) }
  }

  /// The ids of the terms in an app's reports.
  private static func numbers(
    _ field: SearchField, of app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws -> Set<Int> {
    let column = field.set ?? field
    var numbers: Set<Int> = []
    try SearchScan([try CompiledCondition.reports(of: app, in: database)]).run(
      [column], withPast: true, in: database,
      segment: { part, rows in
        let counts = try part.segment.counts(by: SegmentColumn(column), of: rows)
        numbers.formUnion(counts.map(\.value))
      }
    ) { chunk, positions in
      let values = chunk[column]
      for position in positions { numbers.insert(values[position]) }
    }
    guard field.set != nil else { return numbers }
    let ids = SearchTerm.ids(of: field)
    var members: Set<Int> = []
    for set in numbers where set != 0 {
      let rows = try database.prepare("SELECT members FROM search_sets WHERE id = ?1", [set])
      guard try rows.step() else { continue }
      for id in try rows.withBlob("members", SearchSet.decode) where ids.contains(id) {
        members.insert(SearchTerm.code(id))
      }
    }
    return members
  }
}

extension SearchTerms {
  /// The newest terms of a field.
  static func newest(
    _ field: SearchField, limit: Int, in database: borrowing Connection
  ) throws -> [(id: Int, text: String)] {
    let ids = SearchTerm.ids(of: field)
    let rows = try database.prepare(
      "SELECT id, text FROM search_terms WHERE id BETWEEN ?1 AND ?2 ORDER BY id DESC LIMIT ?3",
      [ids.lowerBound, ids.upperBound - 1, limit])
    var found: [(id: Int, text: String)] = []
    while try rows.step() { try found.append((rows.int("id"), rows.text("text"))) }
    return found
  }

  /// Terms that begin with `prefix` and contain `text` after it, ignoring case.
  ///
  /// - Parameter limit: The maximum number of terms to read.
  static func holding(
    _ text: String, after prefix: String, _ field: SearchField, limit: Int,
    in database: borrowing Connection
  ) throws -> [(id: Int, text: String)] {
    let start = TextPattern.folded(prefix)
    let wanted = TextPattern.folded(text)
    func fits(_ text: String) -> Bool {
      let folded = TextPattern.folded(text)
      return folded.starts(with: start)
        && (wanted.isEmpty || folded.dropFirst(start.count).contains(wanted))
    }
    let grams = grams(of: [start, wanted].map { String(decoding: $0, as: UTF8.self) })
    guard field.hasGrams, !grams.isEmpty else {
      return try newest(field, limit: limit, in: database).filter { fits($0.text) }
    }
    let ids = SearchTerm.ids(of: field)
    let rows = try database.rows(
      of: SearchIndex.grams, holding: grams, ids: ids.lowerBound...(ids.upperBound - 1))
    var found: [(id: Int, text: String)] = []
    var left = limit
    while left > 0, try rows.step() {
      left -= 1
      let text = try rows.text("text")
      if fits(text) { try found.append((rows.int("id"), text)) }
    }
    return found
  }
}
