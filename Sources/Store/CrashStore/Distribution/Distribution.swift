public import Bytes
internal import Crypto
internal import Database
internal import Documents
public import Identifiers
internal import JSON
public import Updates

/// The artefacts of releases.
extension CrashStore.Distribution {
  /// Maximum length of the notes of a release, in characters, as in App Center.
  public static let notesLimit = 5_000

  /// Stores an artefact of a release, which is not offered to anyone yet. The file itself is stored
  /// unchanged; the same bytes are stored only once.
  ///
  /// - Parameters:
  ///   - bytes: The file, mapped.
  ///   - icon: A PNG file.
  ///   - upload: The id of the upload that it came from, if any: an upload has only one artefact, however
  ///     often its completion is repeated.
  /// - Returns: The artefact, with its number.
  /// - Throws: ``StoreError/invalidAppName(_:)``, ``DistributionError``; `FileError`, `DatabaseError`.
  public func add(
    _ bytes: ByteView, named fileName: String, package: AppPackage, icon: ByteView? = nil,
    to app: String, upload: String? = nil, by author: String
  ) throws -> Artefact {
    guard AppName.isValid(app) else { throw StoreError.invalidAppName(app) }
    guard !bytes.isEmpty else { throw DistributionError.emptyFile(fileName) }
    let release = package.release
    guard !release.version.isEmpty else { throw DistributionError.noVersion(fileName) }
    for text in [release.version, release.build] where !text.isEmpty && !AppName.isValid(text) {
      throw DistributionError.invalidName(text)
    }
    let digest = SHA256.digest(of: bytes)
    let fingerprint = MD5.digest(of: bytes).hexadecimalDigits
    let iconDigest = icon.map { SHA256.digest(of: $0) }
    var contents = [Content(keeping: bytes, digest: digest)]
    if let icon, let iconDigest { contents.append(Content(keeping: icon, digest: iconDigest)) }
    var writer = JSONWriter()
    AppPackage.declaration.write(package, to: &writer)
    let facts = String(decoding: writer.takeBytes(), as: UTF8.self)
    while true {
      try store.contents.folder.write(contents)
      let artefact = try store.act(.apps([app])) { database, now -> Artefact? in
        // A sweep may have deleted it since, before a row named it.
        for content in contents {
          guard try store.contents.folder.has(content.digest) else { return nil }
        }
        try AppsTable.check(named: app, in: database)
        let found = try AppsTable.app(named: app, in: database)
        let row = found.row
        if let upload,
          let number = try database.integer(
            "SELECT number FROM artefacts WHERE upload = ?1 AND app = ?2", upload, row)
        {
          return try ArtefactsTable.one(number, of: row, found.name, in: database)
        }
        try database.run("UPDATE apps SET last_artefact = last_artefact + 1 WHERE id = ?1", row)
        let number = try database.requiredInteger(
          "SELECT last_artefact FROM apps WHERE id = ?1", row)
        try database.insert(
          into: "artefacts",
          [
            "app": row, "number": number, "version": release.version, "build": release.build,
            "package": facts, "file_name": fileName, "size": bytes.count, "digest": digest,
            "md5": fingerprint, "icon": iconDigest, "uploaded": now.microseconds,
            "upload": upload,
          ])
        try database.insert(
          into: "releases",
          [
            "app": row, "version": release.version, "build": release.build,
            "added": now.microseconds,
          ], onConflict: "ON CONFLICT DO NOTHING")
        try DistributionHistory.note(
          .added, "#\(number) \(fileName)", release: release, by: author, at: now, app: row,
          in: database)
        return try ArtefactsTable.one(number, of: row, found.name, in: database)
      }
      if let artefact { return artefact }
    }
  }

  /// Returns the artefacts of an app, the newest first.
  ///
  /// - Parameter release: Only artefacts of this release; a version without a build means all of its builds.
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  public func artefacts(of app: String, release: Release? = nil) throws -> [Artefact] {
    let all = try store.read { database in
      let found = try AppsTable.known(app, in: database)
      return try ArtefactsTable.all(of: found.row, found.name, in: database)
    }
    guard let release else { return all }
    return all.filter {
      $0.release.version == release.version
        && (release.build.isEmpty || $0.release.build == release.build)
    }
  }

  /// - Throws: ``StoreError/notFound(_:)``, ``DistributionError/noSuchArtefact(_:app:)``; `DatabaseError`.
  public func artefact(_ number: Int, of app: String) throws -> Artefact {
    try store.read { database in
      let found = try AppsTable.known(app, in: database)
      return try ArtefactsTable.one(number, of: found.row, found.name, in: database)
    }
  }

  /// Returns the newest artefact with one of App Center's hashes of an installed build.
  public func artefact(ofHash hash: String, of app: String) throws -> Artefact? {
    try artefacts(of: app).first { $0.package.hashes.contains(hash) }
  }

  /// Returns the path of the file of an artefact, or of its icon.
  ///
  /// - Parameter digest: A SHA-256 in hexadecimal.
  /// - Throws: ``StoreError/damagedBlob(path:reason:)`` where it is missing; `FileError`.
  public func path(ofFile digest: String) throws -> String {
    guard let bytes = [UInt8](hexadecimal: digest), bytes.count == 32 else {
      throw StoreError.notFound(digest)
    }
    let path = store.contents.folder.path(of: bytes, isPlain: true)
    guard try store.contents.folder.has(bytes) else {
      throw StoreError.damagedBlob(path: path, reason: "the file is missing")
    }
    return path
  }

  /// A change of an artefact; a value that is `nil` is left unchanged.
  public struct Edit: Hashable, Sendable {
    public var notes: String?
    public var isEnabled: Bool?
    public var source: Artefact.Source?
    /// Empty removes it.
    public var edSignature: String?
    public var dsaSignature: String?

    public init(
      notes: String? = nil, isEnabled: Bool? = nil, source: Artefact.Source? = nil,
      edSignature: String? = nil, dsaSignature: String? = nil
    ) {
      self.notes = notes
      self.isEnabled = isEnabled
      self.source = source
      self.edSignature = edSignature
      self.dsaSignature = dsaSignature
    }
  }

  /// - Returns: The artefact as it is now.
  /// - Throws: ``StoreError/notFound(_:)``, ``DistributionError``; `DatabaseError`.
  @discardableResult
  public func edit(
    _ number: Int, of app: String, _ edit: Edit, by author: String
  ) throws -> Artefact {
    if let notes = edit.notes, notes.count > Self.notesLimit {
      throw DistributionError.tooLong("the text of the release notes", limit: Self.notesLimit)
    }
    return try change(number, of: app) { old, row, now, database in
      var values: [(column: StaticString, value: SQLValue)] = []
      var lines: [(kind: DistributionEvent.Kind, detail: String)] = []
      if let notes = edit.notes, notes != old.notes {
        values.append(("notes", notes.sqlValue))
        lines.append((.edited, " notes"))
      }
      if let isEnabled = edit.isEnabled, isEnabled != old.isEnabled {
        values.append(("enabled", isEnabled.sqlValue))
        lines.append((isEnabled ? .enabled : .disabled, ""))
      }
      if let source = edit.source, source != old.source {
        values.append(("branch", source.branch.sqlValue))
        values.append(("commit_hash", source.commit.sqlValue))
        values.append(("commit_message", source.message.sqlValue))
        lines.append((.edited, " source"))
      }
      if let signature = edit.edSignature, signature != old.edSignature ?? "" {
        values.append(("ed_signature", signature.isEmpty ? .null : .text(signature)))
        lines.append((.edited, " EdDSA signature"))
      }
      if let signature = edit.dsaSignature, signature != old.dsaSignature ?? "" {
        values.append(("dsa_signature", signature.isEmpty ? .null : .text(signature)))
        lines.append((.edited, " DSA signature"))
      }
      for (column, value) in values {
        try database.run(
          "UPDATE artefacts SET \(column) = ?3 WHERE app = ?1 AND number = ?2", row, number, value)
      }
      for (kind, detail) in lines {
        try DistributionHistory.note(
          kind, "#\(number)\(detail)", release: old.release, by: author, at: now, app: row,
          in: database)
      }
    }
  }

  /// Removes an artefact; its number is not used again. The release itself stays.
  ///
  /// - Throws: ``StoreError/notFound(_:)``, ``DistributionError``; `DatabaseError`.
  public func remove(_ number: Int, of app: String, by author: String) throws {
    try store.act(.apps([app])) { database, now in
      let found = try AppsTable.known(app, in: database)
      let old = try ArtefactsTable.one(number, of: found.row, found.name, in: database)
      try ArtefactsTable.remove(number, of: found.row, in: database)
      try DistributionHistory.note(
        .removed, "#\(number) \(old.fileName)", release: old.release, by: author, at: now,
        app: found.row, in: database)
    }
  }

  /// Publishes an artefact to a group or a tester, or changes whether they must install it.
  ///
  /// - Parameter notifies: Whether the testers among them get a mail, each one for each file.
  /// - Returns: The artefact as it is now.
  /// - Throws: ``StoreError/notFound(_:)``, ``DistributionError``; `DatabaseError`.
  @discardableResult
  public func publish(
    _ number: Int, of app: String, to destinations: [Artefact.Destination], by author: String,
    notifies: Bool = false
  ) throws -> Artefact {
    try change(number, of: app) { old, row, now, database in
      for destination in destinations where !old.destinations.contains(destination) {
        let name = try DistributionTables.name(of: destination, app: row, app, in: database)
        try database.insert(
          into: "artefact_destinations",
          [
            "app": row, "artefact": number, "kind": destination.kind.rawValue,
            "id": destination.id, "mandatory": destination.isMandatory, "added": now.microseconds,
          ],
          onConflict: """
            ON CONFLICT (app, artefact, kind, id) DO UPDATE SET mandatory = excluded.mandatory
            """)
        try DistributionHistory.note(
          .published, "#\(number) to \(name)" + (destination.isMandatory ? ", mandatory" : ""),
          release: old.release, by: author, at: now, app: row, in: database)
        let isNew = !old.destinations.contains {
          $0.kind == destination.kind && $0.id == destination.id
        }
        guard isNew else { continue }
        try DistributionNewsTable.add(
          .release, of: row, release: old.release, to: name, old.fileName, by: author, at: now,
          in: database)
      }
      guard notifies else { return }
      let told = try TesterMailsTable.tell(
        of: number, to: destinations, app: row, by: author, now: now, in: database)
      guard told > 0 else { return }
      try DistributionHistory.note(
        .notified, "#\(number), \(told) " + (told == 1 ? "tester" : "testers"),
        release: old.release, by: author, at: now, app: row, in: database)
    }
  }

  /// Stops offering an artefact to a group or a tester.
  ///
  /// - Returns: The artefact as it is now.
  /// - Throws: ``StoreError/notFound(_:)``, ``DistributionError``; `DatabaseError`.
  @discardableResult
  public func withdraw(
    _ number: Int, of app: String, from kind: Artefact.Destination.Kind, id: String,
    by author: String
  ) throws -> Artefact {
    try change(number, of: app) { old, row, now, database in
      guard let destination = old.destinations.first(where: { $0.kind == kind && $0.id == id })
      else { return }
      let name = try DistributionTables.name(of: destination, app: row, app, in: database)
      try database.run(
        """
        DELETE FROM artefact_destinations WHERE app = ?1 AND artefact = ?2 AND kind = ?3 AND id = ?4
        """, row, number, kind.rawValue, id)
      try DistributionHistory.note(
        .withdrawn, "#\(number) from \(name)", release: old.release, by: author, at: now, app: row,
        in: database)
    }
  }

  /// Changes an artefact in one transaction.
  private func change(
    _ number: Int, of app: String,
    _ body: (Artefact, RowID<Tables.Apps>, Timestamp, borrowing Connection) throws -> Void
  ) throws -> Artefact {
    try store.act(.apps([app])) { database, now in
      let found = try AppsTable.known(app, in: database)
      let old = try ArtefactsTable.one(number, of: found.row, found.name, in: database)
      try body(old, found.row, now, database)
      return try ArtefactsTable.one(number, of: found.row, found.name, in: database)
    }
  }

  /// Counts that an installation runs an artefact that it was offered, once however often it reports this.
  ///
  /// - Parameter group: The id of the group that it got it from; empty where the client does not know.
  /// - Returns: Whether it is new; an unknown artefact is never new.
  /// - Throws: `DatabaseError`.
  @discardableResult
  public func countInstall(
    of number: Int, app: String, install: String, group: String
  ) throws -> Bool {
    try store.act(.apps([app])) { database, now in
      guard let row = try AppsTable.find(app, in: database)?.row else { return false }
      let isThere = try database.integer(
        "SELECT 1 FROM artefacts WHERE app = ?1 AND number = ?2", row, number)
      guard isThere != nil else { return false }
      try database.insert(
        into: "update_installs",
        [
          "app": row, "artefact": number, "install": install, "distribution_group": group,
          "time": now.microseconds,
        ], onConflict: "ON CONFLICT DO NOTHING")
      return database.changes > 0
    }
  }

  /// Returns the number of installations that reported running each artefact, by its number.
  public func installs(of app: String) throws -> [Int: Int] {
    try store.read { database in
      let row = try AppsTable.known(app, in: database).row
      let rows = try database.prepare(
        """
        SELECT artefact, count(*) AS count FROM update_installs WHERE app = ?1 GROUP BY artefact
        """, [row])
      var installs: [Int: Int] = [:]
      while try rows.step() { try installs[rows.int("artefact")] = rows.int("count") }
      return installs
    }
  }
}
