internal import CrashModel
internal import Database
internal import Identifiers

/// The changes that reprocessing makes to reports: the replaced documents are kept, and the groups are checked
/// later, when their histories record the changes. Inside a transaction.
struct ReplacementRecords {
  /// Maximum number of replaced documents kept per report. The oldest are deleted first, except the very
  /// first, which shows what was known when the report came.
  static let mostVersions = 10
  /// Maximum number of lines added to a group's history at once; the rest is summed up.
  private static let mostEvents = 8

  private struct Record {
    let row: RowID<Tables.Reports>
    let new: ReportRow
    /// The number of the rules, if only the signature is replaced. The former state follows from the document
    /// and the former rules, and is not kept.
    let ruleSet: Int?
    let group: RowID<Tables.Groups>
    let oldText: String
    let oldKey: String
    let oldDocument: [UInt8]
    /// The debug ids whose files explain the change.
    var arrived: [String] = []

    var hasNewDocument: Bool { oldDocument != new.document }
    var isChanged: Bool { hasNewDocument || oldKey != new.signature.key }
    var isKept: Bool { hasNewDocument && ruleSet == nil }
  }

  private var records: [Record] = []

  /// Prefix of a rules number that is stored in place of debug ids.
  private static let byRules = "rules:"

  /// Reads the state of reports before it is overwritten.
  ///
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  init(
    _ replacements: [(row: RowID<Tables.Reports>, new: PreparedReplacement)],
    in database: borrowing Connection
  ) throws {
    let new = Dictionary(
      replacements.map { ($0.row, $0.new) }, uniquingKeysWith: { one, _ in one })
    try database.readMany(
      "SELECT id, grp, key, signature, document FROM reports WHERE id = ?1",
      replacements.map { RowKey($0.row.sqlValue) }
    ) { _, row in
      guard let replacement = new[try row.id("id")] else { return }
      try records.append(
        Record(
          row: row.id("id"), new: replacement.row, ruleSet: replacement.ruleSet,
          group: row.id("grp"), oldText: row.text("signature"), oldKey: row.text("key"),
          oldDocument: row.blob("document")))
    }
    try findArrived(in: database)
  }

  /// Finds what explains the changes: the debug ids that a report no longer waits for. If there are none, those
  /// that have files: a file that explains less than another could is used while the other is still waited for.
  private mutating func findArrived(in database: borrowing Connection) throws {
    let reprocessed = records.filter { $0.ruleSet == nil }.map { RowKey($0.row.sqlValue) }
    var waited: [RowID<Tables.Reports>: [String]] = [:]
    try database.readMany(
      """
      SELECT report, debug_id FROM waiting JOIN image_numbers ON image_numbers.id = waiting.image
      WHERE report = ?1 ORDER BY debug_id
      """, reprocessed
    ) { _, row in try waited[row.id("report"), default: []].append(row.text("debug_id")) }
    var explained: [RowID<Tables.Reports>: [String]] = [:]
    for record in records {
      let still = Set(record.new.waitsFor)
      explained[record.row] = waited[record.row, default: []].filter { !still.contains($0) }
    }
    let known = try Self.withFiles(
      Set(waited.filter { explained[$0.key]?.isEmpty == true }.flatMap(\.value)), in: database)
    let builds = try Self.builds(
      named: Set(explained.values.joined().compactMap(NameOnlyImage.fileName(in:))), in: database)
    for index in records.indices {
      let record = records[index]
      let explained = explained[record.row, default: []]
      if let rules = record.ruleSet {
        records[index].arrived = ["\(Self.byRules)\(rules)"]
      } else if explained.isEmpty {
        records[index].arrived = waited[record.row, default: []].filter(known.contains)
      } else {
        records[index].arrived = explained.flatMap { id in
          NameOnlyImage.fileName(in: id).map { builds[$0, default: []].sorted() } ?? [id]
        }
      }
    }
  }

  /// Returns those debug ids that have files.
  private static func withFiles(
    _ ids: Set<String>, in database: borrowing Connection
  ) throws -> Set<String> {
    var known: Set<String> = []
    try database.readMany(
      "SELECT debug_id FROM debug_files WHERE debug_id = ?1 AND kind != ?2 LIMIT 1",
      ids.sorted().map { RowKey($0.sqlValue, DebugFileRecord.sourcesKind.sqlValue) }
    ) { _, row in known.insert(try row.text("debug_id")) }
    return known
  }

  /// Returns the debug ids of the files with the names of images.
  private static func builds(
    named fileNames: Set<String>, in database: borrowing Connection
  ) throws -> [String: Set<String>] {
    var images: [RowKey: [String]] = [:]
    for fileName in fileNames {
      for name in DebugFileName.names(ofImage: fileName) {
        images[RowKey(name.sqlValue, DebugFileRecord.sourcesKind.sqlValue), default: []]
          .append(fileName)
      }
    }
    var builds: [String: Set<String>] = [:]
    try database.readMany(
      "SELECT debug_id FROM debug_files WHERE name = ?1 AND kind != ?2", images.keys.sorted()
    ) { key, row in
      for image in images[key, default: []] {
        builds[image, default: []].insert(try row.text("debug_id"))
      }
    }
    return builds
  }

  /// Keeps the documents that are about to be replaced.
  func keep(in database: borrowing Connection) throws {
    let kept = records.filter(\.isKept)
    try database.runMany(
      """
      INSERT INTO report_versions (report, number, replaced, grp, document, arrived)
      SELECT ?1, 1 + coalesce(max(number), 0), ?2, ?3, ?4, ?5 FROM report_versions WHERE report = ?1
      """,
      kept.map { record in
        [
          record.row.sqlValue, CrashStore.now.microseconds.sqlValue, record.group.sqlValue,
          record.oldDocument.sqlValue, record.arrived.joined(separator: "\n").sqlValue,
        ]
      })
    try database.runMany(
      """
      DELETE FROM report_versions WHERE report = ?1 AND number > 1
        AND number <= (SELECT max(number) FROM report_versions WHERE report = ?1) - ?2
      """, kept.map { [$0.row.sqlValue, (Self.mostVersions - 1).sqlValue] })
  }

  /// Marks the origins of the reports to be checked, where something changed.
  ///
  /// - Parameter origins: The origins that the keys of the reports led to.
  func finish(
    _ origins: [RowID<Tables.Reports>: Origin], in database: borrowing Connection
  ) throws {
    var changes = RowSums()
    var changed: Set<Origin> = []
    for record in records where record.isChanged {
      guard let origin = origins[record.row] else { continue }
      changed.insert(origin)
      changes.add(
        1,
        to: RowKey(
          origin.id.sqlValue, record.oldText.sqlValue, record.new.signature.text.sqlValue,
          record.arrived.joined(separator: "\n").sqlValue))
    }
    for origin in changed.sorted(by: { $0.id < $1.id }) {
      try Regrouping.examine(origin, in: database)
    }
    try database.addMany(
      changes, to: "regroup_changes", key: ["origin", "old_text", "new_text", "arrived"],
      column: "reports")
  }
}

extension ReplacementRecords {
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
