public import Bytes
internal import CrashModel
internal import Hashing
internal import SQLite

extension CrashStore {
  /// The most replaced documents that are kept of a report.
  public static var mostVersions: Int { ReplacementRecord.mostVersions }

  /// What was known of a report before, oldest first; the document that is known now is none of them.
  ///
  /// - Parameter report: The report's id, whole.
  /// - Throws: `DatabaseError`.
  public func versions(of report: String) throws -> [ReportVersion] {
    try read { database in
      let rows = try database.prepare(
        """
        SELECT report_versions.number, report_versions.replaced,
          apps.prefix || '-' || groups.number, report_versions.arrived, report_versions.document
        FROM reports JOIN report_versions ON report_versions.report = reports.id
          JOIN groups ON groups.id = report_versions.grp JOIN apps ON apps.id = groups.app
        WHERE reports.name = ?1 ORDER BY report_versions.number
        """, [report])
      var versions: [ReportVersion] = []
      while try rows.step() {
        versions.append(
          ReportVersion(
            number: rows.int(0), replaced: Timestamp(microseconds: rows.int(1)),
            group: rows.text(2),
            arrived: rows.text(3).split(separator: "\n").compactMap { DebugID(String($0)) },
            document: SHA256.hex(rows.blob(4))))
      }
      return versions
    }
  }

  /// The document of a version.
  ///
  /// - Throws: ``StoreError/notFound(_:)``, ``StoreError/damagedBlob(path:reason:)``.
  public func document(of version: ReportVersion) throws -> ByteView {
    guard let digest = Self.bytes(ofHex: version.document) else {
      throw StoreError.notFound(version.document)
    }
    return try contents.read(digest)
  }

  /// How a report found its group.
  ///
  /// - Parameter report: The report's id, whole.
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  public func found(_ report: String) throws -> FoundBy {
    try read { database in
      let rows = try database.prepare(
        "SELECT found_by, found_detail FROM reports WHERE name = ?1", [report])
      guard try rows.step() else { throw StoreError.notFound(report) }
      return FoundBy(word: rows.text(0), detail: rows.optionalText(1))
    }
  }

  /// The group that owns a key, whether the key is its reports' own, or one by which they could be
  /// read.
  ///
  /// - Throws: `DatabaseError`.
  public func owner(ofKey key: String, app: String) throws -> (group: String, isMain: Bool)? {
    try read { database in
      guard let app = try AppBook.find(app, in: database) else { return nil }
      let rows = try database.prepare(
        "SELECT grp, is_main FROM group_keys WHERE app = ?1 AND key = ?2", [app.row, key])
      guard try rows.step() else { return nil }
      return (try GroupBook.name(of: rows.int(0), in: database), rows.int(1) != 0)
    }
  }
}
