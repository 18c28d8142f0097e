internal import Database

/// Entries of the search index that the reports of one transaction share, and rows that are written at its end.
///
/// It lives as long as one run of the transaction, in which no term and no set is deleted.
final class SearchBatch {
  /// The numbers of terms that may be deleted by other transactions, which ``SearchCache`` must not keep.
  private var terms: [SearchTerm: (text: String, number: Int)] = [:]
  /// The numbers of sets, by their digests.
  var sets: [[UInt8]: Int] = [:]
  /// The last number of each field of which a term was created.
  var last: [SearchField: Int] = [:]
  /// The chunks that were marked as stale.
  var stale: Set<Int> = []
  /// The terms of new sets.
  private var members: [(term: Int, holder: Int)] = []
  /// New terms whose trigrams are not in the index.
  private var grams: [(id: Int, text: String)] = []

  subscript(term: SearchTerm) -> Int? {
    get {
      // Texts are equal here that the database tells apart: "é" may be one character or two.
      guard let known = terms[term], known.text.utf8.elementsEqual(term.text.utf8) else {
        return nil
      }
      return known.number
    }
    set { terms[term] = newValue.map { (term.text, $0) } }
  }

  func add(_ terms: [Int], to set: Int) {
    for term in terms { members.append((term, set)) }
  }

  /// Adds a new term to the index of trigrams.
  func add(gramsOf text: String, id: Int) { grams.append((id, text.lowercased())) }

  /// Writes the trigrams of new terms and the terms of new sets, in the order of their tables: one report
  /// names many terms, far from each other, and SQLite writes all trigrams that it holds in memory when a
  /// number is below the last one.
  func write(to database: borrowing Connection) throws {
    grams.sort { $0.id < $1.id }
    for (id, text) in grams { try database.add(text, id: id, to: SearchIndex.grams) }
    grams.removeAll()
    members.sort { ($0.term, $0.holder) < ($1.term, $1.holder) }
    try database.insertMany(
      into: "search_set_terms", columns: ["term", "holder"],
      members.flatMap { [$0.term.sqlValue, $0.holder.sqlValue] })
    members.removeAll()
  }
}
