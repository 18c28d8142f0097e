/// What the store as a whole has to know of each of its tables. Whoever adds a table adds a line.
struct StoreTable: Sendable {
  let name: String
  /// Columns with digests of contents, which keep those contents.
  var contents: [String] = []
  /// The column with the row of the report that a row belongs to: it goes when the report goes.
  var reportColumn: String?

  /// All tables, in an order in which each names only rows of those before it.
  static let all: [StoreTable] = [
    StoreTable(name: "apps"),
    StoreTable(name: "submissions", contents: ["digest"]),
    StoreTable(name: "groups"),
    StoreTable(name: "group_history"),
    StoreTable(name: "origins"),
    StoreTable(name: "group_keys"),
    StoreTable(name: "reports", contents: ["document"]),
    StoreTable(name: "report_versions", contents: ["document"], reportColumn: "report"),
    StoreTable(name: "counters"),
    StoreTable(name: "group_installs"),
    StoreTable(name: "waiting", reportColumn: "report"),
    StoreTable(name: "attachments", contents: ["digest"], reportColumn: "report"),
    StoreTable(name: "releases"),
    StoreTable(name: "debug_files", contents: ["digest"]),
    StoreTable(name: "refused"),
    StoreTable(name: "watched"),
    StoreTable(name: "ledger"),
    StoreTable(name: "past_submissions"),
    StoreTable(name: "past_reports"),
  ]
}

/// The contents that rows name; all others may go.
enum ContentReferences {
  /// Each selects a column of digests.
  static let queries = StoreTable.all.flatMap { table in
    table.contents.map { "SELECT \($0) FROM \(table.name)" }
  }
}
