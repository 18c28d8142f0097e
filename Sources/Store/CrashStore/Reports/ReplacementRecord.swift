internal import CrashModel
internal import Database
internal import Identifiers

/// The change that reprocessing made to a report: the replaced document is kept, and the group is checked
/// later, when its history records the change. Inside a transaction.
struct ReplacementRecord {
  /// Maximum number of replaced documents kept per report. The oldest are deleted first, except the very
  /// first, which shows what was known when the report came.
  static let mostVersions = 10
  /// Maximum number of lines added to a group's history at once; the rest is summed up.
  private static let mostEvents = 8

  private let text: String
  private let isChanged: Bool
  /// The debug ids whose files explain the change.
  private let arrived: [String]

  /// Prefix of a rules number that is stored in place of debug ids.
  private static let byRules = "rules:"

  /// Saves the state of a report before it is overwritten.
  ///
  /// - Parameters:
  ///   - row: The report's row in the database.
  ///   - ruleSet: The number of the rules, if only the signature is replaced. The former state follows
  ///     from the document and the former rules, and is not saved.
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  init(
    keeping row: RowID<Tables.Reports>, before new: ReportRow, ruleSet: Int? = nil,
    in database: borrowing Connection
  ) throws {
    let rows = try database.prepare(
      "SELECT grp, key, signature, document FROM reports WHERE id = ?1", [row])
    guard try rows.step() else { throw StoreError.notFound(new.id) }
    let document = try rows.blob("document")
    let group: RowID<Tables.Groups> = try rows.id("grp")
    text = try rows.text("signature")
    arrived = try ruleSet.map { ["\(Self.byRules)\($0)"] } ?? Self.arrived(row, new, in: database)
    isChanged = try document != new.document || rows.text("key") != new.signature.key
    guard document != new.document, ruleSet == nil else { return }
    try database.run(
      """
      INSERT INTO report_versions (report, number, replaced, grp, document, arrived)
      SELECT ?1, 1 + coalesce(max(number), 0), ?2, ?3, ?4, ?5 FROM report_versions WHERE report = ?1
      """, row, CrashStore.now.microseconds, group, document, arrived.joined(separator: "\n"))
    try database.run(
      """
      DELETE FROM report_versions WHERE report = ?1 AND number > 1
        AND number <= (SELECT max(number) FROM report_versions WHERE report = ?1) - ?2
      """, row, Self.mostVersions - 1)
  }

  /// Marks the origin of the report to be checked, if something changed.
  ///
  /// - Parameter origin: The origin that its key led to.
  func finish(
    _ new: ReportRow, at origin: Origin, in database: borrowing Connection
  ) throws {
    guard isChanged else { return }
    try Regrouping.examine(origin, in: database)
    try database.insert(
      into: "regroup_changes",
      [
        "origin": origin.id, "old_text": text, "new_text": new.signature.text,
        "arrived": arrived.joined(separator: "\n"), "reports": 1,
      ],
      onConflict: "ON CONFLICT (origin, old_text, new_text, arrived)"
        + " DO UPDATE SET reports = regroup_changes.reports + 1")
  }

  /// The debug ids that the report no longer waits for. If there are none, those that have files: a file
  /// that explains less than another could is used while the other is still waited for.
  private static func arrived(
    _ row: RowID<Tables.Reports>, _ new: ReportRow, in database: borrowing Connection
  ) throws -> [String] {
    let still = Set(new.waitsFor)
    let waited = try waiting(row, in: database)
    let gone = waited.filter { !still.contains($0) }
    guard gone.isEmpty else {
      return try gone.flatMap { key in
        try NameOnlyImage.fileName(in: key).map { try builds(named: $0, in: database) } ?? [key]
      }
    }
    return try waited.filter {
      try database.integer(
        "SELECT 1 FROM debug_files WHERE debug_id = ?1 AND kind != ?2 LIMIT 1", $0,
        DebugFileRecord.sourcesKind) != nil
    }
  }

  /// The debug ids of the files with the name of an image.
  private static func builds(
    named fileName: String, in database: borrowing Connection
  ) throws -> [String] {
    var ids: Set<String> = []
    for name in DebugFileName.names(ofImage: fileName) {
      let rows = try database.prepare(
        "SELECT debug_id FROM debug_files WHERE name = ?1 AND kind != ?2",
        [name, DebugFileRecord.sourcesKind])
      while try rows.step() { try ids.insert(rows.text("debug_id")) }
    }
    return ids.sorted()
  }

  private static func waiting(
    _ row: RowID<Tables.Reports>, in database: borrowing Connection
  ) throws -> [String] {
    let rows = try database.prepare(
      """
      SELECT debug_id FROM waiting JOIN image_numbers ON image_numbers.id = waiting.image
      WHERE report = ?1 ORDER BY debug_id
      """, [row])
    var ids: [String] = []
    while try rows.step() { try ids.append(rows.text("debug_id")) }
    return ids
  }
}

extension ReplacementRecord {
  /// Adds the changes of an origin's reports to its group's history, and deletes their records.
  static func tell(
    _ origin: Origin, _ table: borrowing GroupsTable, in database: borrowing Connection
  ) throws {
    var lines: [(count: Int, words: String, event: HistoryEvent)] = []
    do {
      let rows = try database.prepare(
        """
        SELECT reports, old_text, new_text, arrived FROM regroup_changes WHERE origin = ?1
        ORDER BY reports DESC, new_text, old_text, arrived
        """, [origin.id])
      while try rows.step() {
        let arrived = try rows.text("arrived").split(separator: "\n").map(String.init)
        try lines.append(
          (
            rows.int("reports"),
            try words(
              arrived, old: rows.text("old_text"), new: rows.text("new_text"), in: database),
            arrived.first?.hasPrefix(byRules) == true ? .regrouped : .symbolicated
          ))
      }
    }
    for line in lines.prefix(mostEvents) {
      try table.note(origin.group, line.event, told(line.count, line.words), in: database)
    }
    let rest = lines.dropFirst(mostEvents)
    if !rest.isEmpty {
      let count = rest.reduce(0) { $0 + $1.count }
      try table.note(
        origin.group, rest.first?.event ?? .symbolicated, told(count, "with other signatures"),
        in: database)
    }
    try database.run("DELETE FROM regroup_changes WHERE origin = ?1", origin.id)
  }

  private static func told(_ count: Int, _ words: String) -> String {
    "\(count) \(count == 1 ? "report" : "reports") \(words)"
  }

  /// `with Tern 4c4c446b: was [Tern 4c4c446b]+0x6d7, is tern::raise`.
  private static func words(
    _ arrived: [String], old: String, new: String, in database: borrowing Connection
  ) throws -> String {
    if let rules = arrived.first, rules.hasPrefix(byRules) {
      return "by rules \(rules.dropFirst(byRules.count)): was \(old), is \(new)"
    }
    let files = try arrived.prefix(4).map { id in
      let name = try database.text(
        "SELECT name FROM debug_files WHERE debug_id = ?1 AND kind != ?2 ORDER BY id LIMIT 1", id,
        DebugFileRecord.sourcesKind)
      return [name, String(id.prefix(8))].compactMap { $0 }.joined(separator: " ")
    }
    let more = arrived.count > 4 ? " and \(arrived.count - 4) more" : ""
    let with = files.isEmpty ? "reprocessed" : "with " + files.joined(separator: ", ") + more
    return old == new ? "\(with): \(new) as before" : "\(with): was \(old), is \(new)"
  }
}
