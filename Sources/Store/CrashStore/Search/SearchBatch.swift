internal import Database

/// Entries of the search index that the reports of one transaction share, and rows that are written together.
///
/// It lives as long as one run of the transaction, in which no term and no set is deleted.
final class SearchBatch {
  /// The numbers of terms that may be deleted by other transactions, which ``SearchCache`` must not keep.
  var terms: [SearchTerm: Int] = [:]
  /// The numbers of sets, by their digests.
  var sets: [[UInt8]: Int] = [:]
  /// Terms and sets that were looked for and are not in the tables.
  private var absent: Set<SearchTerm> = []
  private var absentSets: Set<[UInt8]> = []
  /// The last number of each field of which a term was created, and that of the sets.
  private var last: [SearchField: Int] = [:]
  private var lastSet: Int?
  private var newTerms: [SQLValue] = []
  private var newSets: [SQLValue] = []
  /// The terms of new sets.
  private var members: [(term: Int, holder: Int)] = []
  /// New terms whose trigrams are not in the index.
  private var grams: [(id: Int, text: String)] = []
  private var facts: [[SQLValue]] = []
  private var messages: [SQLValue] = []
  private var incidents: [SQLValue] = []
  /// The chunks that were marked as stale, and those that still have to be.
  private var stale: Set<Int> = []
  private var newStale: Set<Int> = []

  // MARK: Terms and sets

  /// Whether a term is known not to be in the table.
  func isAbsent(_ term: SearchTerm) -> Bool { absent.contains(term) }

  func isAbsent(set digest: [UInt8]) -> Bool { absentSets.contains(digest) }

  /// Numbers a new term, whose row is written later.
  func add(_ term: SearchTerm, in database: borrowing Connection) throws -> Int {
    let ids = SearchTerm.ids(of: term.field)
    let last =
      try last[term.field]
      ?? database.integer(
        "SELECT max(id) FROM search_terms WHERE id BETWEEN ?1 AND ?2", ids.lowerBound,
        ids.upperBound - 1)
    let number = (last ?? ids.lowerBound) + 1
    self.last[term.field] = number
    newTerms += [number.sqlValue, term.hash.sqlValue, term.text.sqlValue]
    if term.field.hasGrams { grams.append((number, term.text.lowercased())) }
    absent.remove(term)
    return number
  }

  /// Numbers a new set, whose row is written later.
  ///
  /// - Parameter terms: The numbers of its terms.
  func add(
    set digest: [UInt8], of terms: [Int], in database: borrowing Connection
  ) throws -> Int {
    let last = try lastSet ?? database.integer("SELECT max(id) FROM search_sets") ?? 0
    let (number, isTooLarge) = last.addingReportingOverflow(1)
    guard !isTooLarge else {
      throw StoreError.damaged("the last number of search_sets is \(last)")
    }
    lastSet = number
    newSets += [
      number.sqlValue, digest.sqlValue, SearchSet.encode(terms.sorted()).sqlValue,
    ]
    for term in terms { members.append((term, number)) }
    absentSets.remove(digest)
    return number
  }

  /// Looks for terms and sets, all with one statement each.
  func read(
    _ terms: Set<SearchTerm>, _ digests: Set<[UInt8]>, in database: borrowing Connection
  ) throws {
    let terms = terms.filter { self.terms[$0] == nil && !absent.contains($0) }
    var wanted: [RowKey: SearchTerm] = [:]
    for term in terms {
      let ids = SearchTerm.ids(of: term.field)
      wanted[
        RowKey(
          term.hash.sqlValue, term.text.sqlValue, ids.lowerBound.sqlValue,
          (ids.upperBound - 1).sqlValue)] = term
    }
    absent.formUnion(terms)
    try database.readMany(SearchIndex.number, wanted.keys) { key, row in
      guard let term = wanted[key] else { return }
      self.terms[term] = try row.int("id")
      absent.remove(term)
    }
    let digests = digests.filter { sets[$0] == nil && !absentSets.contains($0) }
    let wantedSets = Dictionary(
      digests.map { (RowKey($0.sqlValue), $0) }, uniquingKeysWith: { one, _ in one })
    absentSets.formUnion(digests)
    try database.readMany(SearchIndex.numberOfSet, wantedSets.keys) { key, row in
      guard let digest = wantedSets[key] else { return }
      sets[digest] = try row.int("id")
      absentSets.remove(digest)
    }
  }

  // MARK: Reports

  /// Adds a row of `search_facts`.
  ///
  /// - Parameter values: Those of its columns.
  func add(
    _ values: [SQLValue], of entry: SearchEntry, report: RowID<Tables.Reports>
  ) {
    facts.append([report.sqlValue] + values)
    if let message = entry.message { messages += [report.sqlValue, message.sqlValue] }
    if let incident = entry.incident { incidents += [report.sqlValue, incident.sqlValue] }
    // Row numbers of deleted newest reports are reused, and their chunk may be settled.
    let chunk = report.rawValue >> SearchChunk.bits
    if stale.insert(chunk).inserted { newStale.insert(chunk) }
  }

  private static let insertion =
    "INSERT INTO search_facts (report, "
    + SearchField.columns.map(\.sqlName).joined(separator: ", ") + ") VALUES (?1, "
    + SearchField.columns.indices.map { "?\($0 + 2)" }.joined(separator: ", ")
    + ") ON CONFLICT (report) DO UPDATE SET "
    + SearchField.columns.map { "\($0.sqlName) = excluded.\($0.sqlName)" }
    .joined(separator: ", ")

  /// Writes the rows of reports, and forgets them.
  func writeFacts(to database: borrowing Connection) throws {
    guard !facts.isEmpty else { return }
    try database.runMany(Self.insertion, facts)
    try database.insertMany(
      into: "search_messages", columns: ["report", "text"], messages,
      onConflict: "ON CONFLICT (report) DO UPDATE SET text = excluded.text")
    try database.insertMany(
      into: "search_incidents", columns: ["report", "hash"], incidents,
      onConflict: "ON CONFLICT (report) DO UPDATE SET hash = excluded.hash")
    try database.insertMany(
      into: "search_stale", columns: ["chunk"], newStale.sorted().map(\.sqlValue),
      onConflict: "ON CONFLICT DO NOTHING")
    facts.removeAll()
    messages.removeAll()
    incidents.removeAll()
    newStale.removeAll()
  }

  /// Writes new terms with their trigrams, and new sets with their terms, in the order of their tables: one
  /// report names many terms, far from each other, and SQLite writes all trigrams that it holds in memory when
  /// a number is below the last one.
  func write(to database: borrowing Connection) throws {
    try database.insertMany(into: "search_terms", columns: ["id", "hash", "text"], newTerms)
    newTerms.removeAll()
    grams.sort { $0.id < $1.id }
    try database.addMany(grams, to: SearchIndex.grams)
    grams.removeAll()
    try database.insertMany(into: "search_sets", columns: ["id", "digest", "members"], newSets)
    newSets.removeAll()
    members.sort { ($0.term, $0.holder) < ($1.term, $1.holder) }
    try database.insertMany(
      into: "search_set_terms", columns: ["term", "holder"],
      members.flatMap { [$0.term.sqlValue, $0.holder.sqlValue] })
    members.removeAll()
  }
}
