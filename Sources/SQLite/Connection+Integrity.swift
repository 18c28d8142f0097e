extension Connection {
  /// What is damaged, in SQLite's words, some of it where it is much; nothing where all is whole.
  public borrowing func integrityProblems() throws(DatabaseError) -> [String] {
    var problems: [String] = []
    let rows = try prepare("PRAGMA quick_check(10)")
    while try rows.step() { problems.append(rows.text(0)) }
    return problems == ["ok"] ? [] : problems
  }
}
