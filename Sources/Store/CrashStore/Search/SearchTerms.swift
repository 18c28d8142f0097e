internal import Bytes
internal import Database
internal import Query

/// Looks up terms by their text.
enum SearchTerms {
  /// Maximum number of trigrams to look up. One would do; more shorten the list of candidates, but
  /// beyond this hardly.
  private static let mostGrams = 12

  /// The terms of a field for which `test` holds.
  static func ids(
    _ test: QueryTest, _ field: SearchField, in database: borrowing Connection
  ) throws -> [Int] {
    guard case .text(let pattern) = test else {
      return try scan(field, in: database) { test.matches($0) }
    }
    if let text = pattern.exactText {
      return try equal(Array(text.utf8), field, in: database)
    }
    return try candidates(pattern.literals, field, in: database) { pattern.matches($0) }
  }

  /// The terms of a tag whose value matches `test`.
  static func tags(
    _ test: QueryTest, _ tag: String, in database: borrowing Connection
  ) throws -> [Int] {
    let key = SearchTerm.tag(tag, "").text
    let folded = TextPattern.folded(key)
    var literals = [String(decoding: folded, as: UTF8.self)]
    if case .text(let pattern) = test {
      if let text = pattern.exactText {
        return try equal(folded + Array(text.utf8), .tag, in: database)
      }
      literals += pattern.literals
    }
    return try candidates(literals, .tag, in: database) { text in
      let text = TextPattern.folded(text)
      guard text.starts(with: folded), case .text(let pattern) = test else { return false }
      return pattern.matches(folded: Array(text.dropFirst(folded.count)))
    }
  }

  /// The shapes that a text matching `pattern` may have.
  static func shapes(
    _ pattern: TextPattern, _ field: SearchField, in database: borrowing Connection
  ) throws -> [Int] {
    let parts = pattern.literals.flatMap(TextShape.fixedParts)
    let wanted = parts.map { Array($0.utf8) }
    return try candidates(parts, field, in: database) { text in
      // Without a number in it, the shape is the whole text.
      guard text.unicodeScalars.contains(TextShape.slot) else { return pattern.matches(text) }
      let text = TextPattern.folded(text)
      return wanted.allSatisfy { text.contains($0) }
    }
  }

  /// Terms that equal `folded` in lower case.
  private static func equal(
    _ folded: [UInt8], _ field: SearchField, in database: borrowing Connection
  ) throws -> [Int] {
    let ids = SearchTerm.ids(of: field)
    let rows = try database.prepare(
      "SELECT id, text FROM search_terms WHERE hash = ?1 AND id BETWEEN ?2 AND ?3",
      [SearchTerm.hash(of: folded, in: field), ids.lowerBound, ids.upperBound - 1])
    var found: [Int] = []
    while try rows.step() {
      guard try TextPattern.folded(rows.text("text")) == folded else { continue }
      try found.append(rows.int("id"))
    }
    return found
  }

  private static func scan(
    _ field: SearchField, in database: borrowing Connection, _ holds: (String) -> Bool
  ) throws -> [Int] {
    let ids = SearchTerm.ids(of: field)
    let rows = try database.prepare(
      "SELECT id, text FROM search_terms WHERE id BETWEEN ?1 AND ?2",
      [ids.lowerBound, ids.upperBound - 1])
    var found: [Int] = []
    while try rows.step() {
      if try holds(rows.text("text")) { try found.append(rows.int("id")) }
    }
    return found
  }

  /// Terms that contain each of `literals`, in lower case, and for which `holds` is true.
  private static func candidates(
    _ literals: [String], _ field: SearchField, in database: borrowing Connection,
    _ holds: (String) -> Bool
  ) throws -> [Int] {
    let grams = grams(of: literals)
    guard field.hasGrams, !grams.isEmpty else { return try scan(field, in: database, holds) }
    let ids = SearchTerm.ids(of: field)
    let rows = try database.rows(
      of: SearchIndex.grams, holding: grams, ids: ids.lowerBound...(ids.upperBound - 1))
    var found: [Int] = []
    while try rows.step() {
      if try holds(rows.text("text")) { try found.append(rows.int("id")) }
    }
    return found
  }

  /// The query for the trigram index; empty where no trigram is known.
  static func grams(of literals: [String]) -> [String] {
    var grams: Set<String> = []
    for literal in literals {
      let letters = Array(literal.unicodeScalars)
      guard letters.count >= 3 else { continue }
      for start in 0...(letters.count - 3) {
        grams.insert(String(String.UnicodeScalarView(letters[start..<(start + 3)])))
      }
    }
    let sorted = grams.sorted()
    let step = max(1, sorted.count / mostGrams)
    return stride(from: 0, to: sorted.count, by: step).map { sorted[$0] }
  }
}

extension SearchTerms {
  /// The text of a term; empty for 0.
  static func text(
    _ field: SearchField, _ code: Int, in database: borrowing Connection
  ) throws -> String {
    guard code != 0 else { return "" }
    return try database.requiredText(
      "SELECT text FROM search_terms WHERE id = ?1",
      SearchTerm.ids(of: field).lowerBound.addingClamped(code))
  }
}
