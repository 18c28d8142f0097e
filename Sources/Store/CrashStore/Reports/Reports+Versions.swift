public import Bytes
internal import Crypto
internal import Database
internal import Identifiers

extension CrashStore.Reports {
  /// Maximum number of replaced documents kept per report.
  public static var mostVersions: Int { ReplacementRecords.mostVersions }

  /// Earlier versions of a report, oldest first, without the current document.
  ///
  /// - Parameter report: The report's full id.
  /// - Throws: `DatabaseError`.
  public func versions(of report: String) throws -> [ReportVersion] {
    try store.read { database in
      let rows = try database.prepare(
        """
        SELECT report_versions.number, report_versions.replaced,
          apps.prefix || '-' || groups.number AS group_name, report_versions.arrived, report_versions.document
        FROM reports JOIN report_versions ON report_versions.report = reports.id
          JOIN groups ON groups.id = report_versions.grp JOIN apps ON apps.id = groups.app
        WHERE reports.name = ?1 ORDER BY report_versions.number
        """, [report])
      var versions: [ReportVersion] = []
      while try rows.step() {
        try versions.append(
          ReportVersion(
            number: rows.int("number"), replaced: rows.timestamp("replaced"),
            group: rows.text("group_name"),
            arrived: rows.text("arrived").split(separator: "\n").compactMap { DebugID(String($0)) },
            document: SHA256.hex(rows.blob("document"))))
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
    return try store.contents.read(digest)
  }

  /// Returns how a report came into its group.
  ///
  /// - Parameter report: The report's full id.
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  public func membership(of report: String) throws -> ReportMembership {
    try store.read { database in
      let rows = try database.prepare(
        "SELECT found_by, found_detail, grp, origin FROM reports WHERE name = ?1", [report])
      guard try rows.step() else { throw StoreError.notFound(report) }
      let group = try GroupsTable.name(of: rows.id("grp"), in: database)
      var membership = try ReportMembership(
        group: group, home: group,
        found: MatchReason(word: rows.text("found_by"), detail: rows.optionalText("found_detail")))
      guard let number: RowID<Tables.Origins> = try rows.optionalID("origin"),
        let origin = try Origin.find(number, in: database)
      else { return membership }
      membership.home = try GroupsTable.name(of: origin.ownGroup, in: database)
      if let parent = origin.parent, let source = try Origin.find(parent, in: database) {
        membership.splitFrom = try GroupsTable.name(of: source.ownGroup, in: database)
        membership.rule = origin.rule
      }
      return membership
    }
  }

  /// The full id of the report whose id begins with `prefix`, whatever the state of its document.
  ///
  /// - Throws: ``StoreError/notFound(_:)``, ``StoreError/ambiguous(prefix:matches:)``;
  ///   `DatabaseError`.
  public func id(_ prefix: String) throws -> String {
    let wanted = prefix.lowercased()
    let found = try store.read { database in
      let rows = try database.prepare(
        "SELECT name FROM reports WHERE name >= ?1 AND name < ?1 || 'g' ORDER BY name LIMIT 10",
        [wanted])
      var found: [String] = []
      while try rows.step() { try found.append(rows.text("name")) }
      return found
    }
    guard let only = found.first, !wanted.isEmpty else { throw StoreError.notFound(prefix) }
    guard found.count == 1 else { throw StoreError.ambiguous(prefix: prefix, matches: found) }
    return only
  }

  /// The ids of reports in the order in which they were stored, a page at a time.
  ///
  /// - Parameters:
  ///   - group: Only those of this group.
  ///   - last: The cursor of the previous page; `nil` for the first page.
  /// - Returns: The ids, and the cursor for the next page; no ids after the last page.
  /// - Throws: ``StoreError/notFound(_:)`` for an unknown group; `DatabaseError`.
  public func ids(
    inGroup group: String? = nil, after last: Int? = nil, limit: Int
  ) throws -> (ids: [String], last: Int) {
    try store.read { database in
      var filter = Filter("reports.id > \(last ?? 0)")
      if let group {
        filter.add("reports.grp =", try CrashStore.Groups.groupRow(named: group, in: database))
      }
      let rows = try database.prepare(
        "SELECT reports.id, reports.name FROM reports" + filter.sql + " ORDER BY reports.id"
          + filter.page(limit: limit, offset: 0), filter.values)
      var page: (ids: [String], last: Int) = ([], last ?? 0)
      while try rows.step() {
        try page.ids.append(rows.text("name"))
        page.last = try rows.int("id")
      }
      return page
    }
  }
}
