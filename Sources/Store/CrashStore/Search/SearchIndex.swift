internal import Database
internal import Synchronization

/// The index of reports, inside a transaction.
///
/// Storing a report adds an entry, reprocessing replaces it. The index follows reports that move to
/// another group or are deleted, and origins that move to another group. Changed chunks are listed in
/// `search_stale`.
struct SearchIndex {
  private let cache: SearchCache
  private let batch: SearchBatch?

  /// - Parameter batch: What the reports of the transaction share; the transaction writes it at its end.
  init(_ cache: SearchCache, _ batch: SearchBatch? = nil) {
    self.cache = cache
    self.batch = batch
  }

  /// Adds a report; its rows are written with the batch, or at once without one.
  ///
  /// - Parameter report: Its database row.
  func add(
    _ entry: SearchEntry, report: RowID<Tables.Reports>, group: RowID<Tables.Groups>,
    in database: borrowing Connection
  ) throws {
    var values = try numbers(of: entry, in: database)
    values[.group] = group.rawValue
    let batch = batch ?? SearchBatch()
    batch.add(
      SearchField.columns.map { (values[$0] ?? 0).sqlValue }, of: entry, report: report)
    if self.batch == nil { try batch.writeFacts(to: database) }
  }

  /// Looks for the terms of entries that are about to be added.
  func read(_ entries: some Sequence<SearchEntry>, in database: borrowing Connection) throws {
    guard let batch else { return }
    var terms: Set<SearchTerm> = []
    var sets: Set<[UInt8]> = []
    for entry in entries {
      // The others are mostly cached.
      for term in entry.terms where !term.field.isKept { terms.insert(term) }
      for set in [entry.stack, entry.tags] { if let set { sets.insert(set.digest) } }
    }
    try batch.read(terms, sets, in: database)
  }

  /// Replaces the entries of reports with their present state. Groups and sources stay.
  func replace(
    _ reports: [(entry: SearchEntry, row: RowID<Tables.Reports>)],
    in database: borrowing Connection
  ) throws {
    try read(reports.map(\.entry), in: database)
    var changes: [[SQLValue]] = []
    var messages: [SQLValue] = []
    var incidents: [SQLValue] = []
    for (entry, row) in reports {
      let values = try numbers(of: entry, in: database)
      changes.append([row.sqlValue] + Self.changing.map { (values[$0] ?? 0).sqlValue })
      if let message = entry.message { messages += [row.sqlValue, message.sqlValue] }
      if let incident = entry.incident { incidents += [row.sqlValue, incident.sqlValue] }
    }
    try database.runMany(Self.change, changes)
    for table in ["search_messages", "search_incidents"] {
      try database.runMany(
        "DELETE FROM \(table) WHERE report = ?1", reports.map { [$0.row.sqlValue] })
    }
    try database.insertMany(into: "search_messages", columns: ["report", "text"], messages)
    try database.insertMany(into: "search_incidents", columns: ["report", "hash"], incidents)
    let stale = Set(reports.map { $0.row.rawValue >> SearchChunk.bits })
    try database.insertMany(
      into: "search_stale", columns: ["chunk"], stale.sorted().map(\.sqlValue),
      onConflict: "ON CONFLICT DO NOTHING")
  }

  /// Trigram index of the terms.
  static let grams = TextIndex("search_grams", of: "search_terms")

  private static let changing = SearchField.columns.filter {
    $0 != .group && $0 != .source && $0 != .received
  }

  private static let change =
    "UPDATE search_facts SET "
    + changing.enumerated().map { "\($1.sqlName) = ?\($0 + 2)" }.joined(separator: ", ")
    + " WHERE report = ?1"

  /// Updates reports that are about to move to another group; see ``ReportsTable``.
  static func move(
    where values: Connection.Values, to group: RowID<Tables.Groups>,
    in database: borrowing Connection
  ) throws {
    let change = try database.prepare(
      """
      UPDATE search_facts SET grp = ?1 WHERE report IN
        (SELECT id FROM reports WHERE \(ReportsTable.condition(values, from: 2)))
      """, [group] + values.map(\.value))
    while try change.step() {}
    let stale = try database.prepare(
      """
      INSERT INTO search_stale (chunk) SELECT DISTINCT id >> \(SearchChunk.bits) FROM reports
      WHERE \(ReportsTable.condition(values, from: 1)) ON CONFLICT DO NOTHING
      """, values.map(\.value))
    while try stale.step() {}
  }

  /// Removes reports that are about to be deleted, and records them without personal data.
  ///
  /// - Parameter isTextKept: Whether the records keep the headlines, which a person may have written.
  static func remove(
    _ reports: [DeletedReports.Report], isTextKept: Bool, in database: borrowing Connection
  ) throws {
    let last = try lastPast(in: database)
    try database.runMany(
      isTextKept ? remembering : rememberingWithoutText,
      reports.map { [$0.row.sqlValue, $0.origin.sqlValue] })
    let newLast = try lastPast(in: database)
    var stale = Set(reports.map { $0.row.rawValue >> SearchChunk.bits })
    if newLast > last {
      for chunk in (last + 1) >> SearchChunk.bits...newLast >> SearchChunk.bits {
        stale.insert(chunk + SearchChunk.firstPast)
      }
    }
    for table in ["search_facts", "search_messages", "search_queue"] {
      try database.runMany(
        "DELETE FROM \(table) WHERE report = ?1", reports.map { [$0.row.sqlValue] })
    }
    try database.insertMany(
      into: "search_stale", columns: ["chunk"], stale.sorted().map(\.sqlValue),
      onConflict: "ON CONFLICT DO NOTHING")
  }

  private static func lastPast(in database: borrowing Connection) throws -> Int {
    try database.requiredInteger("SELECT coalesce(max(id), 0) FROM search_past")
  }

  private static let remembering = remembering(without: [.tags, .user, .message, .source])
  private static let rememberingWithoutText = remembering(
    without: [.tags, .user, .message, .source, .headline])

  private static func remembering(without forgotten: Set<SearchField>) -> String {
    let columns = SearchField.columns
    let values = columns.map { forgotten.contains($0) ? "0" : $0.sqlName }.joined(separator: ", ")
    return """
      INSERT INTO search_past (origin, \(columns.map(\.sqlName).joined(separator: ", ")))
      SELECT ?2, \(values) FROM search_facts WHERE report = ?1
      """
  }

  /// Marks chunks as stale because the reports of an app, and the records of deleted ones, are about to be
  /// deleted.
  static func clear(app: RowID<Tables.Apps>, in database: borrowing Connection) throws {
    try database.run(
      """
      INSERT INTO search_stale (chunk) SELECT DISTINCT id >> \(SearchChunk.bits) FROM reports
      WHERE app = ?1 ON CONFLICT DO NOTHING
      """, app)
    try database.run(
      """
      INSERT INTO search_stale (chunk)
      SELECT DISTINCT (id >> \(SearchChunk.bits)) + \(SearchChunk.firstPast) FROM search_past
      WHERE grp IN (SELECT id FROM groups WHERE app = ?1) ON CONFLICT DO NOTHING
      """, app)
  }

  /// Moves the records of deleted reports to another origin.
  static func move(
    _ old: RowID<Tables.Origins>, into new: RowID<Tables.Origins>, group: RowID<Tables.Groups>,
    in database: borrowing Connection
  ) throws {
    try database.run(
      """
      INSERT INTO search_stale (chunk)
      SELECT DISTINCT (id >> \(SearchChunk.bits)) + \(SearchChunk.firstPast) FROM search_past
      WHERE origin = ?1 ON CONFLICT DO NOTHING
      """, old)
    try database.run(
      "UPDATE search_past SET origin = ?2, grp = ?3 WHERE origin = ?1", old, new, group)
  }

  /// Forgets the installation of deleted reports of an origin.
  static func forget(
    _ install: [UInt8], at origin: RowID<Tables.Origins>, in database: borrowing Connection
  ) throws {
    try database.run(
      """
      INSERT INTO search_stale (chunk)
      SELECT DISTINCT (id >> \(SearchChunk.bits)) + \(SearchChunk.firstPast) FROM search_past
      WHERE origin = ?1 AND install = ?2 ON CONFLICT DO NOTHING
      """, origin, SearchEntry.install(install))
    try database.run(
      "UPDATE search_past SET install = 0 WHERE origin = ?1 AND install = ?2", origin,
      SearchEntry.install(install))
  }

  /// Deletes terms that are no longer used.
  static func remove(terms ids: some Collection<Int>, in database: borrowing Connection) throws {
    // A contentless index needs the indexed text for deletion.
    var texts: [(id: Int, text: String)] = []
    try database.readMany(
      "SELECT id, text FROM search_terms WHERE id = ?1", ids.sorted().map { RowKey($0.sqlValue) }
    ) { _, row in texts.append((try row.int("id"), try row.text("text").lowercased())) }
    try database.removeMany(texts, from: Self.grams)
    try database.runMany(
      "DELETE FROM search_terms WHERE id = ?1", texts.map { [$0.id.sqlValue] })
  }

  /// The numbers of a report that is only counted: no term is created that identifies a person, or
  /// contains text that a person may have written.
  func countedNumbers(
    of entry: SearchEntry, in database: borrowing Connection
  ) throws -> [SearchField: Int] {
    var values: [SearchField: Int] = [
      .time: entry.time, .received: entry.received, .install: entry.install,
      .uptime: entry.uptime,
    ]
    for term in entry.terms {
      switch term.field {
      case .user, .message, .source, .headline: continue
      default: values[term.field] = SearchTerm.code(try number(of: term, in: database))
      }
    }
    if let stack = entry.stack { values[.stack] = try number(of: stack, in: database) }
    return values
  }

  private func numbers(
    of entry: SearchEntry, in database: borrowing Connection
  ) throws -> [SearchField: Int] {
    var values: [SearchField: Int] = [
      .time: entry.time, .received: entry.received, .install: entry.install,
      .uptime: entry.uptime,
    ]
    for term in entry.terms {
      values[term.field] = SearchTerm.code(try number(of: term, in: database))
    }
    if let stack = entry.stack { values[.stack] = try number(of: stack, in: database) }
    if let tags = entry.tags { values[.tags] = try number(of: tags, in: database) }
    return values
  }

  /// The number of a term; a new one is created for a new term.
  func number(of term: SearchTerm, in database: borrowing Connection) throws -> Int {
    if term.field.isKept, let known = cache[term] { return known }
    let number = try batch?.terms[term] ?? find(term, in: database)
    if term.field.isKept { cache[term] = number } else { batch?.terms[term] = number }
    return number
  }

  /// The number of a term, by its hash, its text and the numbers of its field.
  static let number =
    "SELECT id FROM search_terms WHERE hash = ?1 AND text = ?2 AND id BETWEEN ?3 AND ?4"

  private func find(_ term: SearchTerm, in database: borrowing Connection) throws -> Int {
    if batch?.isAbsent(term) != true {
      let ids = SearchTerm.ids(of: term.field)
      let known = try database.integer(
        Self.number, term.hash, term.text, ids.lowerBound, ids.upperBound - 1)
      if let known { return known }
    }
    let batch = batch ?? SearchBatch()
    let number = try batch.add(term, in: database)
    if self.batch == nil { try batch.write(to: database) }
    return number
  }

  func number(of set: SearchSet, in database: borrowing Connection) throws -> Int {
    if let known = batch?.sets[set.digest] { return known }
    let number = try find(set, in: database)
    batch?.sets[set.digest] = number
    return number
  }

  private func find(_ set: SearchSet, in database: borrowing Connection) throws -> Int {
    if batch?.isAbsent(set: set.digest) != true,
      let known = try database.integer(Self.numberOfSet, set.digest)
    {
      return known
    }
    var terms: [Int] = []
    for term in set.terms { terms.append(try number(of: term, in: database)) }
    let batch = batch ?? SearchBatch()
    let number = try batch.add(set: set.digest, of: terms, in: database)
    if self.batch == nil { try batch.write(to: database) }
    return number
  }

  /// Writes what is left for the end of the transaction.
  func writeBatch(to database: borrowing Connection) throws { try batch?.write(to: database) }

  static let numberOfSet = "SELECT id FROM search_sets WHERE digest = ?1"
}

/// The numbers of terms that a process has seen, for fields whose terms are permanent.
final class SearchCache: Sendable {
  private static let limit = 100_000

  private struct State {
    var published: [SearchTerm: Int] = [:]
    /// Terms found or created in the running transaction.
    var pending: [SearchTerm: Int] = [:]
  }
  private let state = Mutex(State())

  /// Used by the writing transaction only.
  subscript(term: SearchTerm) -> Int? {
    get { state.withLock { $0.pending[term] ?? $0.published[term] } }
    set { state.withLock { $0.pending[term] = newValue } }
  }

  /// Publishes the terms found or created, after the transaction was committed.
  func publish() {
    state.withLock {
      if $0.published.count + $0.pending.count > Self.limit { $0.published.removeAll() }
      $0.published.merge($0.pending) { _, new in new }
      $0.pending.removeAll()
    }
  }

  /// Discards what is not published.
  func discard() { state.withLock { $0.pending.removeAll() } }
}
