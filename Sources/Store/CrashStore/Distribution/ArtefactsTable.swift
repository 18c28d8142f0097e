internal import Bytes
internal import Database
internal import Documents
internal import Identifiers
internal import JSON
internal import Updates

/// The tables of artefacts and their destinations, inside a transaction.
enum ArtefactsTable {
  private static let columns = """
    SELECT number, version, build, package, file_name, size, digest, md5, icon, uploaded, enabled, notes,
      branch, commit_hash, commit_message, ed_signature, dsa_signature
    FROM artefacts WHERE app = ?1
    """

  /// Returns the artefacts of an app, the newest first.
  static func all(
    of app: RowID<Tables.Apps>, _ name: String, in database: borrowing Connection
  ) throws -> [Artefact] {
    var artefacts: [Artefact] = []
    do {
      let rows = try database.prepare(columns + " ORDER BY number DESC", [app])
      while try rows.step() { try artefacts.append(artefact(rows, of: name)) }
    }
    var destinations = try destinations(of: app, in: database)
    for index in artefacts.indices {
      artefacts[index].destinations =
        destinations.removeValue(forKey: artefacts[index].number) ?? []
    }
    return artefacts
  }

  /// - Throws: ``DistributionError/noSuchArtefact(_:app:)``.
  static func one(
    _ number: Int, of app: RowID<Tables.Apps>, _ name: String, in database: borrowing Connection
  ) throws -> Artefact {
    let found: Artefact?
    do {
      let rows = try database.prepare(columns + " AND number = ?2", [app, number])
      found = try rows.step() ? artefact(rows, of: name) : nil
    }
    guard var found else { throw DistributionError.noSuchArtefact("#\(number)", app: name) }
    found.destinations = try destinations(of: app, number, in: database)[number] ?? []
    return found
  }

  private static func destinations(
    of app: RowID<Tables.Apps>, _ number: Int? = nil, in database: borrowing Connection
  ) throws -> [Int: [Artefact.Destination]] {
    let rows = try database.prepare(
      """
      SELECT artefact, kind, id, mandatory FROM artefact_destinations
      WHERE app = ?1 AND (artefact = ?2 OR ?2 IS NULL) ORDER BY artefact, added, kind, id
      """, [app, number])
    var destinations: [Int: [Artefact.Destination]] = [:]
    while try rows.step() {
      let kind = try rows.text("kind")
      guard let kind = Artefact.Destination.Kind(rawValue: kind) else {
        throw StoreError.damaged("a release is published to a \(kind)")
      }
      try destinations[rows.int("artefact"), default: []].append(
        Artefact.Destination(kind, id: rows.text("id"), isMandatory: rows.bool("mandatory")))
    }
    return destinations
  }

  private static func artefact(
    _ rows: borrowing Statement, of app: String
  ) throws -> Artefact {
    let text = try rows.text("package")
    let package: AppPackage
    do {
      package = try AppPackage.declaration.read(JSONDocument.parse(ByteView(text.utf8)).value)
    } catch {
      throw StoreError.damaged(
        "the package of artefact \(try rows.int("number")) cannot be read: \(error)")
    }
    var artefact = Artefact(
      number: try rows.int("number"), app: app,
      release: Release(version: try rows.text("version"), build: try rows.text("build")),
      package: package, fileName: try rows.text("file_name"), size: try rows.int("size"),
      digest: try rows.blob("digest").hexadecimalDigits, md5: try rows.text("md5"),
      uploaded: try rows.timestamp("uploaded"))
    artefact.icon = try rows.optionalBlob("icon")?.hexadecimalDigits
    artefact.isEnabled = try rows.bool("enabled")
    artefact.notes = try rows.text("notes")
    artefact.source = Artefact.Source(
      branch: try rows.optionalText("branch"), commit: try rows.optionalText("commit_hash"),
      message: try rows.optionalText("commit_message"))
    artefact.edSignature = try rows.optionalText("ed_signature")
    artefact.dsaSignature = try rows.optionalText("dsa_signature")
    return artefact
  }

  /// Deletes a file's row, with its destinations, downloads and installations.
  static func remove(
    _ number: Int, of app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws {
    let tables = [
      "artefact_destinations", "update_installs", "artefact_downloads", "tester_notices",
    ]
    for table in tables {
      try database.run("DELETE FROM \(table) WHERE app = ?1 AND artefact = ?2", app, number)
    }
    try database.run("DELETE FROM artefacts WHERE app = ?1 AND number = ?2", app, number)
  }
}
