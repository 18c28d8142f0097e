/// What the store as a whole has to know of each of its tables. Whoever adds a table adds a line.
struct StoreTable: Sendable {
  enum Kind: Sendable {
    /// Its rows are a part of what a home holds, and go into archives.
    case kept
    /// It follows from other tables.
    case made
    /// It is about this machine.
    case local
  }

  let name: String
  var kind = Kind.kept
  /// Columns with digests of contents, which keep those contents. A row whose digest is NULL names none.
  var contents: [String] = []
  /// Whether those contents are kept as they are, to be mapped.
  var isPlain = false
  /// The column with the row of the report that a row belongs to: it goes when the report goes.
  var reportColumn: String?
  /// Which rows a part of the store has that was exported, as a condition over the tables of
  /// ``DumpPart``; `nil` where it has none.
  var part: String?

  /// All tables, in an order in which each names only rows of those before it, or of itself.
  static let all: [StoreTable] = [
    StoreTable(name: "apps", part: "id IN (SELECT app FROM groups JOIN part_groups USING (id))"),
    StoreTable(
      name: "submissions", contents: ["digest"],
      part: "id IN (SELECT submission FROM reports JOIN part_reports USING (id))"),
    StoreTable(name: "groups", part: "id IN (SELECT id FROM part_groups)"),
    StoreTable(name: "group_history", part: "grp IN (SELECT id FROM part_groups)"),
    StoreTable(name: "group_tickets", part: "grp IN (SELECT id FROM part_groups)"),
    StoreTable(name: "origins", part: "grp IN (SELECT id FROM part_groups)"),
    StoreTable(name: "group_keys", part: "grp IN (SELECT id FROM part_groups)"),
    StoreTable(
      name: "reports", contents: ["document"], part: "id IN (SELECT id FROM part_reports)"),
    StoreTable(
      name: "stacks",
      part: """
        EXISTS (SELECT 1 FROM reports JOIN part_reports USING (id)
          WHERE reports.app = stacks.app AND reports.variant = stacks.variant)
        """),
    StoreTable(name: "report_versions", contents: ["document"], reportColumn: "report"),
    StoreTable(name: "counters"),
    StoreTable(name: "group_versions"),
    StoreTable(name: "group_spread"),
    StoreTable(name: "group_days"),
    StoreTable(name: "group_installs"),
    StoreTable(name: "image_numbers"),
    StoreTable(name: "waiting", reportColumn: "report"),
    StoreTable(name: "uses", reportColumn: "report"),
    StoreTable(name: "redo", reportColumn: "report"),
    StoreTable(
      name: "attachments", contents: ["digest"], reportColumn: "report",
      part: "report IN (SELECT id FROM part_reports)"),
    StoreTable(
      name: "releases", part: "app IN (SELECT app FROM groups JOIN part_groups USING (id))"),
    StoreTable(
      name: "debug_files", contents: ["digest"], isPlain: true,
      part: "digest IN (SELECT digest FROM part_debug_files)"),
    StoreTable(name: "update_documents"),
    StoreTable(name: "app_secrets"),
    StoreTable(name: "former_prefixes"),
    StoreTable(name: "client_reports"),
    StoreTable(name: "orphan_attachments", contents: ["digest"]),
    StoreTable(name: "refused_attachments"),
    StoreTable(name: "sessions"),
    StoreTable(name: "session_counts"),
    StoreTable(name: "session_events"),
    StoreTable(name: "debug_file_releases", contents: ["digest"], isPlain: true),
    StoreTable(name: "debug_file_apps"),
    StoreTable(name: "debug_file_bundles", contents: ["digest"], isPlain: true),
    StoreTable(name: "settings"),
    StoreTable(name: "images"),
    StoreTable(name: "image_builds"),
    StoreTable(name: "image_systems"),
    StoreTable(name: "image_packages"),
    StoreTable(name: "missing"),
    StoreTable(name: "arrivals", kind: .made),
    StoreTable(name: "key_readings"),
    StoreTable(name: "rule_sets"),
    StoreTable(name: "rule_set_groups"),
    StoreTable(name: "rule_set_origins"),
    StoreTable(name: "rule_set_keys"),
    StoreTable(name: "key_stacks"),
    StoreTable(name: "stack_lists"),
    StoreTable(name: "key_links"),
    StoreTable(name: "distinct_keys"),
    StoreTable(name: "regroup"),
    StoreTable(name: "regroup_changes"),
    StoreTable(name: "refused"),
    StoreTable(name: "ledger"),
    StoreTable(name: "intake_progress"),
    StoreTable(name: "past_submissions"),
    StoreTable(name: "past_reports"),
    StoreTable(name: "counted_reports"),
    StoreTable(name: "group_intake", kind: .local),
    StoreTable(name: "past_crashes"),
    StoreTable(name: "watched", kind: .local),
    StoreTable(name: "search_terms", kind: .made),
    StoreTable(name: "search_grams", kind: .made),
    StoreTable(name: "search_sets", kind: .made),
    StoreTable(name: "search_set_terms", kind: .made),
    StoreTable(name: "search_facts", kind: .made),
    StoreTable(name: "search_messages", kind: .made),
    StoreTable(name: "search_incidents", kind: .made, reportColumn: "report"),
    StoreTable(name: "search_columns", kind: .made),
    StoreTable(name: "search_segments", kind: .made),
    StoreTable(name: "search_changed", kind: .made),
    StoreTable(name: "search_stale", kind: .made),
    StoreTable(name: "search_queue", kind: .made),
    StoreTable(name: "search_past", kind: .made),
    StoreTable(name: "artefacts", contents: ["digest", "icon"], isPlain: true),
    StoreTable(name: "artefact_destinations"),
    StoreTable(name: "distribution_groups"),
    StoreTable(name: "testers"),
    StoreTable(name: "distribution_members"),
    StoreTable(name: "tester_secrets"),
    StoreTable(name: "update_installs"),
    StoreTable(name: "artefact_downloads"),
    StoreTable(name: "release_rollouts"),
    StoreTable(name: "distribution_history"),
    StoreTable(name: "rollout_looks"),
    StoreTable(name: "known_fix_answers"),
    StoreTable(name: "update_settings"),
    StoreTable(name: "distribution_generation", kind: .local),
    // A copy of a home sends no mail that the home itself sends.
    StoreTable(name: "tester_mails", kind: .local),
    StoreTable(name: "tester_notices"),
    StoreTable(name: "tester_refusals"),
    StoreTable(name: "distribution_news", kind: .local),
    StoreTable(name: "tester_sightings"),
    StoreTable(name: "trackers"),
    StoreTable(name: "protections"),
    StoreTable(name: "last_numbers"),
  ]

  /// Those that go into archives.
  static let kept = all.filter { $0.kind == .kept }

  /// Statements that select the digests of the contents that rows name, as `digest`. NULL names nothing, and is
  /// never among them.
  ///
  /// - Parameter condition: Which rows.
  func digestQueries(where condition: String = "true") -> [String] {
    digestQueries(of: "", where: condition)
  }

  /// Statements that also select the row of the submission that a content belongs to, as `submission`; for
  /// others a number beyond all rows.
  func ownedDigestQueries(where condition: String) -> [String] {
    let submission =
      switch name {
      case "submissions": "id"
      case "reports": "submission"
      default:
        reportColumn.map { "(SELECT submission FROM reports WHERE reports.id = \(name).\($0))" }
          ?? "CAST(\(Int.max) AS BIGINT)"
      }
    return digestQueries(of: "\(submission) AS submission, ", where: condition)
  }

  private func digestQueries(of columns: String, where condition: String) -> [String] {
    contents.map {
      "SELECT \(columns)\($0) AS digest FROM \(name) WHERE (\(condition)) AND \($0) IS NOT NULL"
    }
  }
}

/// The contents that rows name; all others may go.
enum ContentReferences {
  /// Each selects a column of digests.
  static let queries = StoreTable.all.flatMap { $0.digestQueries() }
  /// Those whose contents are kept as they are, or the others.
  static func queries(ofPlain isPlain: Bool) -> [String] {
    StoreTable.all.filter { $0.isPlain == isPlain }.flatMap { $0.digestQueries() }
  }
}
